#if canImport(Darwin)
    import Darwin
#else
    import COpenSSL  // Its headers may be the first to bring in a struct of the C library, and then own it.
    import Glibc
#endif

/// What one non-blocking transfer came to.
package enum Transfer: Sendable, Equatable {
    /// Bytes moved, more than none.
    case moved(Int)
    /// Nothing can be moved now; wait until the socket is ready.
    case mustWait
    /// The peer sends no more.
    case ended
    case failed(SocketError)
}

/// A non-blocking stream socket. Whoever holds the value that made it closes it, once.
package struct Socket: Sendable, Equatable {
    let descriptor: Int32

    init(descriptor: Int32) { self.descriptor = descriptor }

    /// - Parameter family: `AF_INET`, `AF_INET6` or `AF_UNIX`.
    init(family: Int32) throws {
        let made = socket(family, System.stream, 0)
        guard made >= 0 else { throw SocketError(errno: errno, call: "socket") }
        descriptor = made
        prepare()
    }

    /// Non-blocking, closed on exec, no signal when the peer is gone.
    func prepare() {
        _ = fcntl(descriptor, F_SETFL, fcntl(descriptor, F_GETFL) | O_NONBLOCK)
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        #if canImport(Darwin)
            set(SOL_SOCKET, SO_NOSIGPIPE, 1)
        #endif
    }

    package func receive(into buffer: UnsafeMutableRawBufferPointer) -> Transfer {
        while true {
            let count = recv(descriptor, buffer.baseAddress, buffer.count, 0)
            if count > 0 { return .moved(count) }
            if count == 0 { return .ended }
            let code = errno
            if System.wouldBlock(code) { return .mustWait }
            if code != EINTR { return .failed(SocketError(errno: code, call: "recv")) }
        }
    }

    /// What the next ``receive(into:)`` would begin with, which stays there.
    package enum Outlook: Sendable, Equatable {
        case byte(UInt8)
        /// Nothing has come yet.
        case nothing
        /// The peer sends no more, or is gone.
        case ended
    }

    package var outlook: Outlook {
        var byte: UInt8 = 0
        while true {
            let count = recv(descriptor, &byte, 1, Int32(MSG_PEEK))
            if count == 1 { return .byte(byte) }
            let code = errno
            if count < 0, code == EINTR { continue }
            return count < 0 && System.wouldBlock(code) ? .nothing : .ended
        }
    }

    /// What the next ``receive(into:)`` would begin with; nil when nothing is there.
    package var firstByte: UInt8? {
        if case .byte(let byte) = outlook { byte } else { nil }
    }

    package func send(_ bytes: UnsafeRawBufferPointer) -> Transfer {
        while true {
            #if canImport(Darwin)
                let count = Darwin.send(descriptor, bytes.baseAddress, bytes.count, System.sendFlags)
            #else
                let count = Glibc.send(descriptor, bytes.baseAddress, bytes.count, System.sendFlags)
            #endif
            if count >= 0 { return .moved(count) }
            let code = errno
            if System.wouldBlock(code) { return .mustWait }
            if code != EINTR { return .failed(SocketError(errno: code, call: "send")) }
        }
    }

    /// Says to the peer that no more will come. What it still sends can be read.
    package func endWriting() { _ = shutdown(descriptor, Int32(SHUT_WR)) }

    /// Ends both directions; the descriptor stays until ``close()``.
    package func endBoth() { _ = shutdown(descriptor, Int32(SHUT_RDWR)) }

    package func close() {
        #if canImport(Darwin)
            _ = Darwin.close(descriptor)
        #else
            _ = Glibc.close(descriptor)
        #endif
    }

    /// Has ``close()`` reset the connection: what was not sent yet is thrown away. No effect on a Unix socket.
    package func resetOnClose() {
        var now = linger(l_onoff: 1, l_linger: 0)
        _ = setsockopt(descriptor, SOL_SOCKET, SO_LINGER, &now, socklen_t(MemoryLayout<linger>.size))
    }

    /// Small answers leave at once instead of waiting for the last one's acknowledgement. No effect on a Unix socket.
    package func sendAtOnce() { set(Int32(IPPROTO_TCP), TCP_NODELAY, 1) }

    /// Has the system ask a silent peer whether it is still there, after `idle` seconds and then three times, so
    /// that a connection whose peer has vanished reports an error. No effect on a Unix socket.
    package func probe(afterSeconds idle: Int32) {
        set(SOL_SOCKET, SO_KEEPALIVE, 1)
        #if canImport(Darwin)
            set(Int32(IPPROTO_TCP), TCP_KEEPALIVE, idle)
        #else
            set(Int32(IPPROTO_TCP), TCP_KEEPIDLE, idle)
        #endif
        set(Int32(IPPROTO_TCP), TCP_KEEPINTVL, max(1, idle / 3))
        set(Int32(IPPROTO_TCP), TCP_KEEPCNT, 3)
    }

    func set(_ level: Int32, _ option: Int32, _ value: Int32) {
        var value = value
        _ = setsockopt(descriptor, level, option, &value, socklen_t(MemoryLayout<Int32>.size))
    }

    /// Begins to connect. False when the outcome is to be waited for.
    func connect(to address: SocketAddress, name: String) throws -> Bool {
        if address.withPointer({ begin(descriptor, $0, $1) }) == 0 { return true }
        guard System.isInProgress(errno) else {
            throw SocketError(errno: errno, call: "connect", subject: name)
        }
        return false
    }

    /// What became of a `connect` that went on in the background; 0 when it succeeded.
    func connectError() -> Int32 {
        var code: Int32 = 0
        var length = socklen_t(MemoryLayout<Int32>.size)
        return getsockopt(descriptor, SOL_SOCKET, SO_ERROR, &code, &length) == 0 ? code : errno
    }

    /// Waits for the socket alone. False when `deadline` (of ``System/uptime``) passed first.
    func wait(toWrite: Bool, until deadline: Double) throws -> Bool {
        var entry = pollfd(fd: descriptor, events: Int16(toWrite ? POLLOUT : POLLIN), revents: 0)
        while true {
            let left = max(0, min(deadline - System.uptime, 86_400))
            let count = poll(&entry, 1, Int32((left * 1000).rounded(.up)))
            if count > 0 { return true }
            if count < 0, errno != EINTR { throw SocketError(errno: errno, call: "poll") }
            if count == 0, System.uptime >= deadline { return false }
        }
    }
}

private func begin(_ descriptor: Int32, _ address: UnsafePointer<sockaddr>, _ length: socklen_t) -> Int32 {
    connect(descriptor, address, length)
}

extension Socket {
    /// The address from which the system would send to `address`.
    static func probe(toward address: String) throws -> String? {
        let datagram = socket(AF_INET, System.datagram, 0)
        guard datagram >= 0 else { throw SocketError(errno: errno, call: "socket") }
        let probe = Socket(descriptor: datagram)
        defer { probe.close() }
        guard let target = try SocketAddress.resolve(address, port: 9).first else { return nil }
        _ = try probe.connect(to: target, name: address)
        return probe.localAddress
    }

    /// Numeric address at which the other side reached this socket; `nil` for a Unix socket.
    var localAddress: String? {
        guard let address = SocketAddress({ getsockname(descriptor, $0, $1) }), address.port > 0 else {
            return nil
        }
        return address.host
    }

    /// Address and port at which the other side reached this socket, such as `127.0.0.1:8420` or `[::1]:8420`; `nil` for a
    /// Unix socket.
    package var localAuthority: String? {
        guard let address = SocketAddress({ getsockname(descriptor, $0, $1) }), address.port > 0 else {
            return nil
        }
        let host = address.host
        return (host.utf8.contains(UInt8(ascii: ":")) ? "[\(host)]" : host) + ":\(address.port)"
    }
}
