package import HTTP
import Sockets
import Synchronization

/// The client's side of a web socket. Source: RFC 6455.
///
/// Pings of the server are answered, and a server that says nothing for long is asked whether it is there.
package final class ClientWebSocket: Sendable {
    /// What frames are masked with.
    package struct Mask: Sendable {
        let next: @Sendable () -> UInt32

        package init(next: @escaping @Sendable () -> UInt32) { self.next = next }
    }

    /// Who is told what the server says, by a thread of the socket's own.
    package struct Listener: Sendable {
        /// One message after the other. False when nobody wants more: the rest is passed over until ``close(_:)``.
        let received: @Sendable (WebSocketMessage) -> Bool
        /// Once, after all of them.
        let ended: @Sendable (WebSocketClose) -> Void

        package init(
            received: @escaping @Sendable (WebSocketMessage) -> Bool,
            ended: @escaping @Sendable (WebSocketClose) -> Void
        ) {
            (self.received, self.ended) = (received, ended)
        }
    }

    /// Seconds until a server that says nothing is asked whether it is there, and again until it is given up; that a message may take on its
    /// way; and that the server's own Close frame may.
    private static let patience = 30.0
    /// Seconds for a server to close the connection when both have said all.
    private static let lingering = 2.0
    /// Pings and pongs of a server within a second; one more ends the socket.
    private static let mostControlFrames = 1000

    /// Of the server's agreement.
    package let headers: Headers
    private let socket: SharedSocket
    /// What came behind the agreement.
    private let rest: [UInt8]
    private let mask: Mask
    /// Our Close frame is on its way, or there is nobody to send it to.
    private let isOver = Atomic<Bool>(false)

    init(_ socket: SharedSocket, _ headers: Headers, rest: [UInt8], mask: Mask) {
        (self.socket, self.headers, self.rest, self.mask) = (socket, headers, rest, mask)
    }

    package var subprotocol: String? { headers["Sec-WebSocket-Protocol"] }

    /// Begins to listen, once. The thread ends with the connection, which ``close(_:)`` sees to.
    ///
    /// - Throws: when the system has no more threads.
    package func listen(_ listener: Listener) throws {
        try Thread { [self] in
            var ear = Ear(rest)
            let close = hear(&ear, listener)
            isOver.store(true, ordering: .releasing)
            if close.code == .abnormal { socket.end() } else { socket.endWriting() }
            listener.ended(close)
            passOver(&ear)
            socket.end()
        }.detach()
    }

    /// - Throws: when the connection has broken.
    package func send(_ message: WebSocketMessage) throws {
        guard !isOver.load(ordering: .acquiring) else { return }
        switch message {
        case .text(let text): try write(.text, text.utf8)
        case .binary(let bytes): try write(.binary, bytes)
        }
    }

    /// Says goodbye, once; the server's own ends the connection. Without a Close frame to send, it is cut at once.
    package func close(_ close: WebSocketClose) {
        guard !isOver.exchange(true, ordering: .acquiringAndReleasing) else { return }
        if close.code == .abnormal { return socket.end() }
        do {
            var bytes: [UInt8] = []
            WebSocketWriter.write(close, mask: mask.next(), into: &bytes)
            try socket.write(bytes, seconds: Self.patience)
        } catch {
            socket.end()
        }
    }

    private func write(_ opcode: WebSocketOpcode, _ payload: some Collection<UInt8>) throws {
        var bytes: [UInt8] = []
        WebSocketWriter.write(opcode, payload, mask: mask.next(), into: &bytes)
        try socket.write(bytes, seconds: Self.patience)
    }

    /// What the listening thread holds.
    private struct Ear {
        var reader = WebSocketReader(from: .server)
        var buffer = [UInt8](repeating: 0, count: 16 * 1024)
        /// Since when nobody wants more, in ``System/uptime``.
        var deafSince: Double?
        /// Pings and pongs since the second began that is counted.
        var controls = (since: System.uptime, count: 0)

        init(_ rest: [UInt8]) {
            rest.withUnsafeBytes { reader.append($0) }
        }

        mutating func countControl() throws(Ending) {
            let now = System.uptime
            if now - controls.since >= 1 { controls = (now, 0) }
            controls.count += 1
            guard controls.count <= ClientWebSocket.mostControlFrames else {
                throw .ours(
                    .policyViolation,
                    "more than \(ClientWebSocket.mostControlFrames) pings and pongs came within a second")
            }
        }
    }

    /// Why nothing more is heard.
    private enum Ending: Error {
        /// The server is told.
        case ours(WebSocketCloseCode, String)
        /// There is nobody to tell.
        case lost(String)
    }

    /// Until there is no more.
    private func hear(_ ear: inout Ear, _ listener: Listener) -> WebSocketClose {
        do {
            while true {
                if let close = try take(try ear.reader.next(), &ear, listener) { return close }
            }
        } catch let fault as WebSocketFault {
            return end(fault.code, fault.reason)
        } catch let Ending.ours(code, reason) {
            return end(code, reason)
        } catch let Ending.lost(reason) {
            return WebSocketClose(.abnormal, reason)
        } catch {
            return WebSocketClose(.abnormal, (error as? SocketError)?.message ?? "\(error)")
        }
    }

    private func end(_ code: WebSocketCloseCode, _ reason: String) -> WebSocketClose {
        close(WebSocketClose(code, reason))
        return WebSocketClose(code, reason)
    }

    /// - Returns: how it ends, when it does.
    private func take(_ event: WebSocketReader.Event, _ ear: inout Ear, _ listener: Listener) throws
        -> WebSocketClose?
    {
        if isOver.load(ordering: .acquiring), ear.deafSince == nil { ear.deafSince = System.uptime }
        if let since = ear.deafSince, System.uptime - since > Self.patience {
            throw Ending.lost("the server did not answer the Close frame")
        }
        switch event {
        case .needsMore: try receive(&ear)
        case .message(let message):
            if ear.deafSince == nil, !listener.received(message) { ear.deafSince = System.uptime }
        case .ping(let payload):
            try ear.countControl()
            // Behind a Close frame nothing is sent. Source: RFC 6455 §5.5.1.
            if !isOver.load(ordering: .acquiring) { try write(.pong, payload) }
        case .pong: try ear.countControl()
        case .close(let came):
            close(came)
            return came
        }
        return nil
    }

    /// Waits for the server to close the connection. Were it closed while bytes are here that nobody has read, the system would reset it, and
    /// the server might never read our Close frame. Source: RFC 6455 §7.1.1, RFC 9293 §3.6.1.
    private func passOver(_ ear: inout Ear) {
        let end = System.uptime + Self.lingering
        // A connection that broke has been closed.
        while let count = try? ear.buffer.withUnsafeMutableBytes({
            try socket.read(into: $0, seconds: max(0, end - System.uptime))
        }), count > 0, System.uptime < end {}
    }

    /// Waits for more bytes, and asks a server that says nothing whether it is there.
    private func receive(_ ear: inout Ear) throws {
        var isAsked = false
        while true {
            let count = try ear.buffer.withUnsafeMutableBytes {
                try socket.read(into: $0, seconds: Self.patience)
            }
            if let count {
                guard count > 0 else { throw Ending.lost("the connection ended without a Close frame") }
                let (buffer, bytes) = (ear.buffer, count)
                buffer.withUnsafeBytes { ear.reader.append(UnsafeRawBufferPointer(rebasing: $0[..<bytes])) }
                return
            }
            guard !isOver.load(ordering: .acquiring) else {
                throw Ending.lost("the server did not answer the Close frame")
            }
            guard !isAsked else { throw Ending.lost("the server did not answer a ping") }
            isAsked = true
            try write(.ping, [])
        }
    }
}
