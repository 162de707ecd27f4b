import Essentials

#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// An address as the system's calls take it.
struct SocketAddress: Sendable {
    private var storage = sockaddr_storage()
    private var length = socklen_t(MemoryLayout<sockaddr_storage>.size)

    var family: Int32 { Int32(storage.ss_family) }

    /// - Throws: when `path` does not fit into the system's structure, about a hundred bytes.
    init(path: String) throws {
        var address = sockaddr_un()
        let bytes = Array(path.utf8)
        guard !bytes.isEmpty, !bytes.contains(0), bytes.count < MemoryLayout.size(ofValue: address.sun_path)
        else {
            throw SocketError(
                .other, message: "\(path): a Unix socket needs a path of 1 to 100 bytes", call: "bind")
        }
        address.sun_family = sa_family_t(AF_UNIX)
        withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: bytes) }
        withUnsafeBytes(of: &address) { source in
            withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: source) }
        }
        length = socklen_t(MemoryLayout<sockaddr_un>.size)
    }

    private init(copying address: UnsafePointer<sockaddr>, length: socklen_t) {
        let source = UnsafeRawBufferPointer(start: address, count: Int(length))
        withUnsafeMutableBytes(of: &storage) { $0.copyMemory(from: source) }
        self.length = length
    }

    /// Fills a new value by a call such as `getsockname`; `nil` when the call fails.
    init?(_ call: (UnsafeMutablePointer<sockaddr>, UnsafeMutablePointer<socklen_t>) -> Int32) {
        var storage = sockaddr_storage()
        var length = socklen_t(MemoryLayout<sockaddr_storage>.size)
        let outcome = withUnsafeMutablePointer(to: &storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { call($0, &length) }
        }
        guard outcome >= 0 else { return nil }
        self.storage = storage
        self.length = length
    }

    func withPointer<Result>(_ body: (UnsafePointer<sockaddr>, socklen_t) -> Result) -> Result {
        withUnsafePointer(to: storage) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) { body($0, length) }
        }
    }

    /// The TCP port; 0 for a Unix socket.
    var port: Int {
        get {
            switch family {
            case AF_INET: Int(UInt16(bigEndian: read(sockaddr_in.self).sin_port))
            case AF_INET6: Int(UInt16(bigEndian: read(sockaddr_in6.self).sin6_port))
            default: 0
            }
        }
        set {
            let port = UInt16(truncatingIfNeeded: newValue).bigEndian
            withUnsafeMutableBytes(of: &storage) { bytes in
                switch Int32(bytes.load(as: sockaddr.self).sa_family) {
                case AF_INET:
                    bytes.storeBytes(
                        of: port, toByteOffset: MemoryLayout<sockaddr_in>.offset(of: \.sin_port) ?? 2,
                        as: UInt16.self)
                case AF_INET6:
                    bytes.storeBytes(
                        of: port, toByteOffset: MemoryLayout<sockaddr_in6>.offset(of: \.sin6_port) ?? 2,
                        as: UInt16.self)
                default: break
                }
            }
        }
    }

    /// Numeric, such as `127.0.0.1` or `::1`; an IPv4 address mapped into IPv6 is written as IPv4; `unix` for a
    /// Unix socket.
    var host: String {
        guard family == AF_INET || family == AF_INET6 else { return "unix" }
        var text = [CChar](repeating: 0, count: 64)
        let bytes = isMappedIPv4 ? Array(addressBytes.suffix(4)) : addressBytes
        guard
            inet_ntop(
                bytes.count == 4 ? AF_INET : AF_INET6, bytes, &text, socklen_t(text.count)) != nil
        else { return "?" }
        return String(decoding: text.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
    }

    var isLoopback: Bool {
        switch family {
        case AF_INET: addressBytes[0] == 127
        case AF_INET6:
            isMappedIPv4
                ? addressBytes[12] == 127 : addressBytes == [UInt8](repeating: 0, count: 15) + [1]
        default: true
        }
    }

    /// `::`, which takes IPv4 too.
    var isAnyIPv6: Bool { family == AF_INET6 && addressBytes.allSatisfy { $0 == 0 } }

    // RFC 4291 §2.5.5.2
    private var isMappedIPv4: Bool {
        family == AF_INET6 && addressBytes.prefix(12) == [UInt8](repeating: 0, count: 10) + [0xFF, 0xFF]
    }

    private var addressBytes: [UInt8] {
        switch family {
        case AF_INET: withUnsafeBytes(of: read(sockaddr_in.self).sin_addr) { Array($0) }
        case AF_INET6: withUnsafeBytes(of: read(sockaddr_in6.self).sin6_addr) { Array($0) }
        default: []
        }
    }

    private func read<Form>(_: Form.Type) -> Form {
        withUnsafeBytes(of: storage) { $0.load(as: Form.self) }
    }
}

extension SocketAddress {
    /// The addresses of `host`, in the order to try them. `localhost` and what ends in `.localhost` are this
    /// machine without asking anybody (RFC 6761 §6.3): IPv4 first, then IPv6.
    static func resolve(_ host: String, port: Int) throws -> [SocketAddress] {
        let name = host.hasPrefix("[") && host.hasSuffix("]") ? String(host.dropFirst().dropLast()) : host
        let lower = name.asciiLowercased
        if lower == "localhost" || lower.hasSuffix(".localhost") {
            return try ["127.0.0.1", "::1"].flatMap { try look(up: $0, port: port, flags: AI_NUMERICHOST) }
        }
        // An address is read without waking the resolver.
        let addresses = try? look(up: name, port: port, flags: AI_NUMERICHOST)
        return try addresses ?? look(up: name, port: port)
    }

    /// - Throws: when `text` is a name rather than an IPv4 or IPv6 address.
    init(numeric text: String) throws {
        guard let address = try Self.look(up: text, port: 0, flags: AI_NUMERICHOST).first else {
            throw SocketError(.unknownHost, message: "\(text) is not an address", call: "getaddrinfo")
        }
        self = address
    }

    private static func look(up name: String, port: Int, flags: Int32 = 0) throws -> [SocketAddress] {
        guard (0...65_535).contains(port) else {
            throw SocketError(.other, message: "\(port) is not a port", call: "getaddrinfo")
        }
        var hints = addrinfo()
        hints.ai_socktype = System.stream
        hints.ai_flags = flags
        var found: UnsafeMutablePointer<addrinfo>?
        let code = getaddrinfo(name, "\(port)", &hints, &found)
        guard code == 0 else {
            throw SocketError(
                .unknownHost, code: Int(code), message: "\(name): \(String(cString: gai_strerror(code)))",
                call: "getaddrinfo")
        }
        defer { freeaddrinfo(found) }
        return sequence(first: found, next: { $0?.pointee.ai_next }).prefix { $0 != nil }
            .compactMap { entry in
                entry.flatMap { $0.pointee.ai_addr }.map {
                    SocketAddress(copying: $0, length: entry?.pointee.ai_addrlen ?? 0)
                }
            }
    }
}
