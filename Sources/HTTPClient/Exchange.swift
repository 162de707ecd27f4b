import HTTP
import Sockets

/// One request and its answer, which have a connection to themselves until the answer is whole. Used by one thread at a time.
final class Exchange {
    private let line: Line
    /// It was given back for the next exchange.
    private var isReleased = false
    private var head: ResponseHead?
    private var hasHeard = false
    /// Bytes that its connection had sent before.
    private let sentBefore: Int
    private let url: ClientURL
    private var parser: ResponseParser
    private var buffer = [UInt8](repeating: 0, count: 16 * 1024)
    /// A refusal that came while the request was still going out may explain why the rest of it could not be sent.
    private var writeFailure: ClientError?

    init(
        _ line: Line, to url: ClientURL, sending request: [UInt8], parser: ResponseParser,
        until deadline: Deadline
    ) throws(ClientError) {
        (self.line, self.url, self.parser) = (line, url, parser)
        sentBefore = line.socket.sentBytes
        do {
            line.socket.timeout = deadline.left
            try line.socket.write(request)
        } catch {
            let failure = ClientError.talking(url, error, seconds: deadline.seconds)
            if case .timedOut = failure { throw failure }
            writeFailure = failure
        }
    }

    deinit { close() }

    func close() {
        if !isReleased { line.socket.close() }
    }

    /// Whether the same request may be sent once more over a new connection: this one was kept from before and ended without a word, and the
    /// server has not got the request, or does not mind to get it twice. Source: RFC 9112 §9.3.1, RFC 9110 §9.2.2.
    func mayBeRepeated(_ method: Request.Method, after failure: ClientError) -> Bool {
        if case .timedOut = failure { return false }
        return line.isUsed && !hasHeard && (method.isIdempotent || line.socket.sentBytes == sentBefore)
    }

    /// Waits for the next part of the answer; never ``ResponseParser/Event/needsMore``.
    func next(until deadline: Deadline) throws(ClientError) -> ResponseParser.Event {
        do {
            var event = try parser.next()
            while event == .needsMore {
                try receive(until: deadline)
                event = try parser.next()
            }
            if case .head(let head) = event { self.head = head }
            release()
            return event
        } catch let fault as WireFault {
            throw writeFailure ?? .malformedAnswer(url.place, fault.reason)
        } catch {
            throw writeFailure ?? .talking(url, error, seconds: deadline.seconds)
        }
    }

    /// Lets the next exchange have the connection, when the answer is whole and nothing else has come.
    private func release() {
        guard !isReleased, parser.leavesConnectionOpen, writeFailure == nil, let head else { return }
        isReleased = line.keeper != nil
        line.giveBack(after: head)
    }

    private func receive(until deadline: Deadline) throws {
        line.socket.timeout = deadline.left
        let count = try buffer.withUnsafeMutableBytes { try line.socket.read(into: $0) }
        if count == 0 { return try parser.close() }
        hasHeard = true
        buffer.withUnsafeBytes { parser.append(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
    }

    /// Waits for the head.
    func head(until deadline: Deadline) throws(ClientError) -> ResponseHead {
        guard case .head(let head) = try next(until: deadline) else {
            throw .malformedAnswer(url.place, "it does not begin with a head")
        }
        return head
    }

    /// The connection and what came behind the head, when the answer is that both sides speak something else from now on.
    func takeOver() -> (SharedSocket, [UInt8]) {
        isReleased = true
        return (line.socket.shared(), parser.takeRest())
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
