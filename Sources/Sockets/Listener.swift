import Essentials

#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // The shim has accept4.
    import Glibc
#endif

/// A socket that takes connections. Whoever opened it closes it, once.
package struct Listener: Sendable {
    package enum Accepted: Sendable {
        /// - address: numeric, or `unix`.
        case connection(Socket, address: String, isLoopback: Bool)
        /// None is waiting.
        case mustWait
        /// One is waiting, but the process or the system has no descriptor or memory left for it.
        case exhausted
        /// The listener was closed.
        case failed(SocketError)
    }

    package let socket: Socket
    package let bound: BoundAddress

    /// Opens what `address` asks for: one listener, or two for `localhost`.
    ///
    /// - Throws: ``SocketError`` with the reason `.addressInUse` when somebody listens there already.
    package static func open(_ address: ListenAddress) throws -> [Listener] {
        switch address {
        case .unix(let path): return [try Listener(path: path)]
        case .tcp(let host, let port):
            let addresses = try SocketAddress.resolve(host, port: port)
            let isLocal = host.asciiLowercased == "localhost"
            return try open(
                isLocal ? addresses : Array(addresses.prefix(1)), host, attempts: port == 0 ? 16 : 1)
        }
    }

    /// Lets nobody connect any more who has not done so: the system drops what would begin a connection. Those who are connected can still
    /// be accepted; closing would reset them. Without effect on Darwin, and on a Unix socket.
    package func refuseNew() {
        #if !canImport(Darwin)
            guard case .tcp = bound else { return }
            // A filter of one instruction, BPF_RET | BPF_K: of every packet take 0 bytes. Source: networking/filter of the kernel's
            // documentation; `sock_filter` and `sock_fprog` in its linux/filter.h.
            var drop: (code: UInt16, yes: UInt8, no: UInt8, operand: UInt32) = (0x06, 0, 0, 0)
            withUnsafeMutableBytes(of: &drop) { instructions in
                var filter = (length: UInt16(1), instructions: instructions.baseAddress)
                _ = setsockopt(
                    socket.descriptor, SOL_SOCKET, SO_ATTACH_FILTER, &filter,
                    socklen_t(MemoryLayout.size(ofValue: filter)))
            }
        #endif
    }

    /// Stops listening; a Unix socket's file goes.
    package func close() {
        if case .unix(let path) = bound { _ = unlink(path) }
        socket.close()
    }

    package func accept() -> Accepted {
        while true {
            var taken: Int32 = -1
            let peer = SocketAddress { address, length in
                taken = Self.take(socket.descriptor, address, length)
                return taken
            }
            if let peer, taken >= 0 {
                let socket = Socket(descriptor: taken)
                if peer.family != AF_UNIX { socket.sendAtOnce() }
                return .connection(socket, address: peer.host, isLoopback: peer.isLoopback)
            }
            let code = errno
            if System.wouldBlock(code) { return .mustWait }
            if System.reason(of: code) == .outOfDescriptors { return .exhausted }
            if code == EBADF || code == EINVAL || code == ENOTSOCK {
                return .failed(SocketError(errno: code, call: "accept"))
            }
            // What else accept(2) reports is the fate of one connection that is gone already.
        }
    }

    /// The accepted descriptor, non-blocking and closed on exec, or -1.
    private static func take(
        _ descriptor: Int32, _ address: UnsafeMutablePointer<sockaddr>,
        _ length: UnsafeMutablePointer<socklen_t>
    ) -> Int32 {
        #if canImport(Darwin)
            let taken = Darwin.accept(descriptor, address, length)
            if taken >= 0 { Socket(descriptor: taken).prepare() }
            return taken
        #else
            return accept4(descriptor, address, length, O_NONBLOCK | O_CLOEXEC)
        #endif
    }
}

extension Listener {
    private init(_ address: SocketAddress, _ name: String) throws {
        socket = try Socket(family: address.family)
        do {
            socket.set(SOL_SOCKET, SO_REUSEADDR, 1)
            if address.family == AF_INET6 {
                socket.set(Int32(IPPROTO_IPV6), IPV6_V6ONLY, address.isAnyIPv6 ? 0 : 1)
            }
            try socket.listen(at: address, name)
            let local = SocketAddress { [socket] in getsockname(socket.descriptor, $0, $1) } ?? address
            bound = .tcp(host: local.host, port: local.port)
        } catch {
            socket.close()
            throw error
        }
    }

    /// A file that a dead server left is replaced; one with a living server behind it is not.
    private init(path: String) throws {
        let address = try SocketAddress(path: path)
        try Self.removeStale(path)
        socket = try Socket(family: AF_UNIX)
        bound = .unix(path: path)
        do {
            try socket.listen(at: address, path)
        } catch {
            socket.close()
            throw error
        }
    }

    private static func removeStale(_ path: String) throws {
        var status = stat()
        guard lstat(path, &status) == 0 else { return }
        guard status.st_mode & S_IFMT == S_IFSOCK else {
            throw SocketError(.addressInUse, message: "\(path) exists and is not a socket", call: "bind")
        }
        // Whatever the failure is, nobody lives there.
        let isAlive = (try? ClientSocket.connect(unix: path, timeout: 1)) != nil
        guard !isAlive else {
            throw SocketError(
                .addressInUse, code: Int(EADDRINUSE), message: "\(path): somebody listens there", call: "bind"
            )
        }
        _ = unlink(path)
    }

    /// All of `addresses` on one port, which the first of them gets from the system when it is 0; tried again when that
    /// port is taken at another address. An address that this machine lacks is left out, but not the first.
    private static func open(
        _ addresses: [SocketAddress], _ host: String, attempts: Int
    ) throws -> [Listener] {
        var opened: [Listener] = []
        var port = addresses.first?.port ?? 0
        do {
            for var address in addresses {
                address.port = port
                do {
                    let listener = try Listener(address, "\(host):\(port)")
                    opened.append(listener)
                    if case .tcp(_, let bound) = listener.bound { port = bound }
                } catch let error as SocketError where !opened.isEmpty && error.isAddressMissing {}
            }
            return opened
        } catch let error as SocketError {
            for listener in opened { listener.close() }
            guard attempts > 1, error.reason == .addressInUse else { throw error }
            return try open(addresses, host, attempts: attempts - 1)
        }
    }
}

extension Socket {
    fileprivate func listen(at address: SocketAddress, _ name: String) throws {
        guard address.withPointer({ bind(descriptor, $0, $1) }) == 0 else {
            throw SocketError(errno: errno, call: "bind", subject: name)
        }
        // The system cuts the length of the queue down to what it allows.
        guard startListening(descriptor, 4096) == 0 else {
            throw SocketError(errno: errno, call: "listen", subject: name)
        }
    }
}

extension SocketError {
    fileprivate var isAddressMissing: Bool {
        code == Int(EADDRNOTAVAIL) || code == Int(EAFNOSUPPORT)
    }
}

private func startListening(_ descriptor: Int32, _ length: Int32) -> Int32 { listen(descriptor, length) }

/// Where a server is to listen.
package enum ListenAddress: Sendable, Equatable {
    /// `localhost` means 127.0.0.1 and, where the machine has it, ::1 on the same port. Port 0 is any free one.
    case tcp(host: String, port: Int)
    case unix(path: String)
}

/// Where a server does listen.
package enum BoundAddress: Sendable, Equatable {
    /// A numeric address and the real port.
    case tcp(host: String, port: Int)
    case unix(path: String)
}
