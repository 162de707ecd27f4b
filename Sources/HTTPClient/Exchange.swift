import HTTP
import Sockets

/// One request and its answer over a connection of their own. Used by one thread at a time.
final class Exchange {
    private let socket: ClientSocket
    private let url: ClientURL
    private var parser: ResponseParser
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    /// A refusal that came while the request was still going out may explain why the rest of it could not be sent.
    private var writeFailure: ClientError?

    init(
        _ socket: ClientSocket, to url: ClientURL, sending request: [UInt8], parser: ResponseParser,
        until deadline: Deadline
    ) throws(ClientError) {
        (self.socket, self.url, self.parser) = (socket, url, parser)
        do {
            socket.timeout = deadline.left
            try socket.write(request)
        } catch {
            let failure = ClientError.talking(url, error, seconds: deadline.seconds)
            if case .timedOut = failure { throw failure }
            writeFailure = failure
        }
    }

    deinit { socket.close() }

    func close() { socket.close() }

    /// Waits for the next part of the answer; never ``ResponseParser/Event/needsMore``.
    func next(until deadline: Deadline) throws(ClientError) -> ResponseParser.Event {
        do {
            var event = try parser.next()
            while event == .needsMore {
                try receive(until: deadline)
                event = try parser.next()
            }
            return event
        } catch let fault as WireFault {
            throw writeFailure ?? .malformedAnswer(url.place, fault.reason)
        } catch {
            throw writeFailure ?? .talking(url, error, seconds: deadline.seconds)
        }
    }

    private func receive(until deadline: Deadline) throws {
        socket.timeout = deadline.left
        let count = try buffer.withUnsafeMutableBytes { try socket.read(into: $0) }
        if count == 0 { return try parser.close() }
        buffer.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Waits for the head.
    func head(until deadline: Deadline) throws(ClientError) -> ResponseHead {
        guard case .head(let head) = try next(until: deadline) else {
            throw .malformedAnswer(url.place, "it does not begin with a head")
        }
        return head
    }

    /// Waits for the whole body, and no longer for one that never ends.
    func body(until deadline: Deadline) throws(ClientError) -> [UInt8] {
        var body: [UInt8] = []
        while case .body(let piece) = try next(until: deadline) {
            body += piece
            if deadline.left == 0 { throw .timedOut(url.place, seconds: deadline.seconds) }
        }
        return body
    }
}
