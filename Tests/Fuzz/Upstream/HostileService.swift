#if canImport(Glibc)
    import Glibc
#else
    import Darwin
#endif
import Essentials
import Sockets
import Synchronization

/// Agrees to each web socket, says what it is told to, and hears all that comes.
final class HostileService: Sendable {
    let port: Int
    private let listener: Listener

    private struct NoPort: Error {}

    init() throws {
        guard let listener = try Listener.open(.tcp(host: "127.0.0.1", port: 0)).first,
            case .tcp(_, let port) = listener.bound
        else { throw NoPort() }
        (self.listener, self.port) = (listener, port)
    }

    deinit { listener.close() }

    /// Serves the next connection by a thread of its own.
    ///
    /// - Parameter frames: sent with the agreement; nothing follows them.
    func serve(_ frames: [UInt8]) throws -> Visit {
        let visit = Visit()
        let thread = try Thread { [self] in
            if let socket = accepted(visit) {
                visit.talk(socket, frames)
                socket.close()
            }
            visit.isDone.store(true, ordering: .releasing)
        }
        visit.thread.withLock { $0 = thread }
        return visit
    }

    private func accepted(_ visit: Visit) -> Socket? {
        while !visit.isOver.load(ordering: .acquiring) {
            switch listener.accept() {
            case .connection(let socket, _, _): return socket
            case .mustWait, .exhausted: nap()
            case .failed: return nil
            }
        }
        return nil
    }

    /// One connection.
    final class Visit: Sendable {
        fileprivate let thread = Mutex<Thread?>(nil)
        fileprivate let isDone = Atomic<Bool>(false)
        fileprivate let isOver = Atomic<Bool>(false)
        private let heard = Mutex<[UInt8]>([])

        /// All that came behind the handshake, once the client has ended its side or the time is over.
        func received(seconds: Double) -> [UInt8] {
            let end = System.uptime + seconds
            while !isDone.load(ordering: .acquiring), System.uptime < end { nap() }
            return heard.withLock { $0 }
        }

        func end() {
            isOver.store(true, ordering: .releasing)
            thread.withLock { $0.take() }?.join()
        }

        fileprivate func talk(_ socket: Socket, _ frames: [UInt8]) {
            let end: [UInt8] = Array("\r\n\r\n".utf8)
            var isAgreed = false
            var buffer = [UInt8](repeating: 0, count: 16 * 1024)
            while !isOver.load(ordering: .acquiring) {
                switch buffer.withUnsafeMutableBytes({ socket.receive(into: $0) }) {
                case .moved(let count): heard.withLock { $0 += buffer.prefix(count) }
                case .mustWait: nap()
                case .ended, .failed: return
                }
                guard !isAgreed, let head = heard.withLock({ $0.firstRange(of: end) }) else { continue }
                let asked = heard.withLock { bytes in
                    let asked = String(decoding: bytes[..<head.lowerBound], as: UTF8.self)
                    bytes.removeSubrange(..<head.upperBound)
                    return asked
                }
                send(Self.agreement(to: asked) + frames, socket)
                socket.endWriting()
                isAgreed = true
            }
        }

        private static func agreement(to asked: String) -> [UInt8] {
            let name = "sec-websocket-key:"
            let line = asked.split(separator: "\r\n").first { $0.asciiLowercased.hasPrefix(name) }
            let key = String(line?.dropFirst(name.count).drop { $0 == " " } ?? "")
            // Without SHA-1 the client says what is wrong.
            let proof = (try? WebSocketAccept.value(for: key)) ?? ""
            return Array(
                ("HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
                    + "Sec-WebSocket-Accept: \(proof)\r\n\r\n").utf8)
        }

        private func send(_ bytes: [UInt8], _ socket: Socket) {
            var rest = bytes[...]
            while !rest.isEmpty, !isOver.load(ordering: .acquiring) {
                switch rest.withUnsafeBytes({ socket.send($0) }) {
                case .moved(let count): rest = rest.dropFirst(count)
                case .mustWait: nap()
                case .ended, .failed: return
                }
            }
        }
    }
}

/// A tenth of a millisecond.
func nap() { usleep(100) }
