import HTTP
import Sockets
import Synchronization

#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif

/// A server that answers each connection by its own script, whatever is asked. Its calls wait; each connection has a thread of its own.
final class ScriptedServer: Sendable {
    enum Step: Sendable {
        case send(String)
        /// Waits until the client closes.
        case hold
        /// Waits for ``ScriptedServer/goOn()``.
        case pause
        /// Waits for another request.
        case read
        /// Has ``ScriptedServer/awaitWord()`` return.
        case say
        /// Answers before the request is read, and closes.
        case interrupt(String)
    }

    let port: Int
    private let received = Mutex<[Request]>([])
    private let accepted = Mutex(0)
    private let gate: (read: Int32, write: Int32)
    private let words: (read: Int32, write: Int32)

    var url: String { "http://127.0.0.1:\(port)" }
    var requests: [Request] { received.withLock { $0 } }
    /// Connections that were taken.
    var connections: Int { accepted.withLock { $0 } }

    init(_ scripts: [Step]...) throws {
        let listener: Int32
        (listener, port) = try Self.bound()
        guard listen(listener, 8) == 0 else {
            throw SocketError(.other, message: "no test server", call: "listen")
        }
        (gate, words) = (try Self.madePipe(), try Self.madePipe())
        try Sockets.Thread { [self] in
            for script in scripts {
                let connection = accept(listener, nil, nil)
                accepted.withLock { $0 += 1 }
                do {
                    try Sockets.Thread { [self] in serve(connection, script) }.detach()
                } catch {
                    close(connection)
                }
            }
            close(listener)
        }.detach()
    }

    deinit {
        for end in [gate.read, gate.write, words.read, words.write] { close(end) }
    }

    private static func madePipe() throws -> (read: Int32, write: Int32) {
        var ends: [Int32] = [0, 0]
        guard pipe(&ends) == 0 else { throw SocketError(.other, message: "no pipe", call: "pipe") }
        return (ends[0], ends[1])
    }

    /// A socket that has a port of 127.0.0.1 to itself and does not listen there.
    static func bound() throws -> (descriptor: Int32, port: Int) {
        let descriptor = socket(AF_INET, stream, 0)
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = UInt32(0x7F00_0001).bigEndian
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let isBound = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, length) == 0 && getsockname(descriptor, $0, &length) == 0
            }
        }
        guard isBound else { throw SocketError(.other, message: "no port for a test", call: "bind") }
        return (descriptor, Int(UInt16(bigEndian: address.sin_port)))
    }

    func goOn() { _ = write(gate.write, "x", 1) }

    /// Waits for ``Step/say``, or for the end of a connection.
    func awaitWord() {
        var byte: UInt8 = 0
        _ = read(words.read, &byte, 1)
    }

    private func say() { _ = write(words.write, "x", 1) }

    #if canImport(Glibc)
        private static let stream = Int32(SOCK_STREAM.rawValue)
    #else
        private static let stream = SOCK_STREAM
    #endif

    private func serve(_ connection: Int32, _ script: [Step]) {
        defer {
            close(connection)
            say()
        }
        if case .interrupt(let text)? = script.first {
            _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            return
        }
        readRequest(connection)
        for step in script {
            var byte: UInt8 = 0
            switch step {
            case .send(let text): _ = send(connection, text, text.utf8.count, Int32(MSG_NOSIGNAL))
            case .hold: while read(connection, &byte, 1) > 0 {}
            case .pause: _ = read(gate.read, &byte, 1)
            case .read: readRequest(connection)
            case .say: say()
            case .interrupt: return
            }
        }
    }

    private func readRequest(_ connection: Int32) {
        var parser = RequestParser(limits: Limits(), peer: .local) { _, _ in nil }
        var buffer = [UInt8](repeating: 0, count: 4096)
        while true {
            switch parser.next() {
            case .request(let parsed): return received.withLock { $0.append(parsed.request) }
            case .refused(let refused): return print(refused)
            case .needsMore, .expectsContinue:
                let count = read(connection, &buffer, buffer.count)
                guard count > 0 else { return }
                buffer.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            }
        }
    }
}
