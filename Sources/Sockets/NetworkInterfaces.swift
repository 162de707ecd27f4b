#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// The networks that this machine is part of.
package enum NetworkInterfaces {
    /// Numeric addresses under which other machines may reach this one: IPv4 first, each once. Neither loopback nor
    /// link-local ones (169.254/16, fe80::/10), which need more than an address to be reached.
    package static func addresses() -> [String] {
        var list: UnsafeMutablePointer<ifaddrs>?
        guard getifaddrs(&list) == 0 else { return [] }
        defer { freeifaddrs(list) }
        var found: [SocketAddress] = []
        var entry = list
        while let interface = entry?.pointee {
            entry = interface.ifa_next
            let isUp = UInt32(interface.ifa_flags) & UInt32(IFF_UP) != 0
            guard isUp, let address = interface.ifa_addr.flatMap(copy), isReachable(address) else { continue }
            found.append(address)
        }
        let hosts = found.filter { $0.family == AF_INET } + found.filter { $0.family == AF_INET6 }
        return hosts.map(\.host).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The address of this machine in the network by which it reaches others, which is where phones are too; nil without one. Nothing is
    /// sent for that: the system says from where it would send.
    package static var mainAddress: String? {
        let all = addresses()
        guard let way = try? Socket.probe(toward: "192.0.2.1"), all.contains(way) else { return all.first }
        return way
    }

    private static func copy(_ source: UnsafeMutablePointer<sockaddr>) -> SocketAddress? {
        let size =
            switch Int32(source.pointee.sa_family) {
            case AF_INET: MemoryLayout<sockaddr_in>.size
            case AF_INET6: MemoryLayout<sockaddr_in6>.size
            default: 0
            }
        guard size > 0 else { return nil }
        return SocketAddress { target, length in
            UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: size)
            length.pointee = socklen_t(size)
            return 0
        }
    }

    private static func isReachable(_ address: SocketAddress) -> Bool {
        !address.isLoopback && !address.host.hasPrefix("169.254.") && !address.host.hasPrefix("fe80:")
    }
}
