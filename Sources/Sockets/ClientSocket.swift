/// A connection that waits: each call returns when it is done or its time is over.
///
/// Unchecked: all state is fixed at `init` but the timeout, the count of bytes and the flag of having been closed; one
/// thread uses a value at a time.
package final class ClientSocket: @unchecked Sendable {
    private let channel: Channel
    private let name: String
    private var isClosed = false

    /// Seconds that each read, or each step of a write, may take.
    package var timeout: Double
    /// Bytes that the system has taken, which the peer may or may not have got.
    package private(set) var sentBytes = 0

    private init(_ socket: Socket, _ tls: TLSSession?, name: String, timeout: Double) {
        channel = Channel(socket: socket, tls: tls)
        self.name = name
        self.timeout = timeout
    }

    deinit { close() }

    /// Connects over TCP, trying every address of `host` in turn.
    ///
    /// - Parameters:
    ///   - host: a name, or an IPv4 or IPv6 address; `localhost` and `*.localhost` are looked up nowhere.
    ///   - timeout: seconds for all of it; each later call has as many again.
    ///   - tls: settings of ``TLSContext/init(verifies:authorities:)``; the server must prove to be `host`.
    package static func connect(
        host: String, port: Int, timeout: Double = 10, tls: TLSContext? = nil
    ) throws -> ClientSocket {
        System.ignoreBrokenPipes()
        let deadline = System.uptime + timeout
        let name = "\(host):\(port)"
        var failure = SocketError(.unknownHost, message: "\(host) has no address", call: "connect")
        for address in try SocketAddress.resolve(host, port: port) {
            do {
                let socket = try open(address, name: name, until: deadline)
                socket.sendAtOnce()
                return try ClientSocket(
                    socket, tls: tls, host: host, name: name, timeout: timeout, deadline: deadline)
            } catch let error as SocketError {
                failure = error
                if error.reason == .tls { break }
            }
        }
        throw failure
    }

    /// Connects to the Unix socket at `path`.
    package static func connect(unix path: String, timeout: Double = 10) throws -> ClientSocket {
        System.ignoreBrokenPipes()
        let socket = try open(SocketAddress(path: path), name: path, until: System.uptime + timeout)
        return ClientSocket(socket, nil, name: path, timeout: timeout)
    }

    /// Waits for bytes and puts what has come into `buffer`; 0 when the peer sends no more.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let deadline = System.uptime + timeout
        while true {
            switch channel.receive(into: buffer) {
            case .moved(let count): return count
            case .ended: return 0
            case .failed(let error): throw named(error)
            case .mustWait: try wait(toWrite: channel.tls?.waitsToWrite ?? false, until: deadline, "read")
            }
        }
    }

    /// Waits for bytes and returns what has come, at most `count`; empty when the peer sends no more.
    package func read(max count: Int = 16 * 1024) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try read(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Sends all of `bytes`.
    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { all in
            var rest = all[...]
            while !rest.isEmpty {
                switch channel.send(UnsafeRawBufferPointer(rebasing: rest)) {
                case .moved(let count):
                    rest = rest.dropFirst(count)
                    sentBytes += count
                case .failed(let error): throw named(error)
                case .ended: throw SocketError(.closed, message: "\(name): closed", call: "write")
                case .mustWait:
                    try wait(
                        toWrite: channel.tls?.waitsToWrite ?? true, until: System.uptime + timeout, "write")
                }
            }
        }
    }

    /// Says to the peer that no more will come; what it still sends can be read.
    package func endWriting() {
        if !isClosed { channel.endWriting() }
    }

    /// The connection for several threads, which is closed with what is returned; this value is of no more use.
    package func shared() -> SharedSocket {
        isClosed = true
        return SharedSocket(channel)
    }

    /// May be called again.
    package func close() {
        guard !isClosed else { return }
        isClosed = true
        channel.tls?.endWriting()
        channel.close()
    }

    /// True when the peer has closed or sent something unasked, so that a kept connection is of no more use. Over TLS that is read, and
    /// messages of TLS itself, such as tickets, are none.
    package var isStale: Bool {
        guard channel.tls != nil else { return channel.socket.outlook != .nothing }
        var byte: UInt8 = 0
        return withUnsafeMutableBytes(of: &byte) { channel.receive(into: $0) } != .mustWait
    }

    /// Such as `TLSv1.3`; `nil` without TLS.
    package var tlsVersion: String? { channel.tls?.version }

    private func wait(toWrite: Bool, until deadline: Double, _ call: String) throws {
        guard try channel.socket.wait(toWrite: toWrite, until: deadline) else {
            throw SocketError.timedOut(name, call: call)
        }
    }

    private func named(_ error: SocketError) -> SocketError {
        SocketError(error.reason, code: error.code, message: "\(name): \(error.message)", call: error.call)
    }
}

extension ClientSocket {
    /// Closes `socket` when the handshake fails.
    private convenience init(
        _ socket: Socket, tls: TLSContext?, host: String, name: String, timeout: Double, deadline: Double
    ) throws {
        do {
            let session = try tls.map { try TLSSession($0, over: socket, host: host) }
            try session.map { try Self.shakeHands($0, over: socket, name: name, until: deadline) }
            self.init(socket, session, name: name, timeout: timeout)
        } catch {
            socket.close()
            throw error
        }
    }

    private static func open(_ address: SocketAddress, name: String, until deadline: Double) throws -> Socket
    {
        let socket = try Socket(family: address.family)
        do {
            guard try socket.connect(to: address, name: name) || socket.wait(toWrite: true, until: deadline)
            else { throw SocketError.timedOut(name, call: "connect") }
            let code = socket.connectError()
            guard code == 0 else { throw SocketError(errno: code, call: "connect", subject: name) }
            return socket
        } catch {
            socket.close()
            throw error
        }
    }

    private static func shakeHands(
        _ session: TLSSession, over socket: Socket, name: String, until deadline: Double
    ) throws {
        while true {
            switch session.handshake() {
            case .moved: return
            case .ended:
                throw SocketError(.tls, message: "\(name): closed in the handshake", call: "handshake")
            case .failed(let error):
                throw SocketError(
                    .tls, code: error.code, message: "\(name): \(error.message)", call: error.call)
            case .mustWait:
                guard try socket.wait(toWrite: session.waitsToWrite, until: deadline) else {
                    throw SocketError.timedOut(name, call: "handshake")
                }
            }
        }
    }
}
