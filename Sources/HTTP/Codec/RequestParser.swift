/// Reads requests from bytes as they arrive, one connection's worth. Pure: no socket, no clock.
///
/// Every byte is looked at once, and how the bytes were split changes nothing but ``Event/expectsContinue``. After a refusal, and
/// after a request whose connection ends with its answer, further bytes are ignored. What is held is bounded by the limits
/// as long as ``next()`` is called until ``Event/needsMore`` before more is appended.
///
/// Source: RFC 9112 (message syntax), RFC 9110 (fields and methods).
package struct RequestParser: Sendable {
    package typealias Refused = WireFault

    package enum Event: Sendable {
        /// Nothing whole is buffered.
        case needsMore
        /// The head asked for `100-continue` and its body has not come; said once for a request.
        case expectsContinue
        case request(Parsed)
        /// The connection cannot go on: answer with this and close.
        case refused(Refused)
    }

    /// A class, since it goes from hand to hand until its answer is there.
    package final class Parsed: Sendable {
        /// The target `*` of `OPTIONS` comes as the path `/*`.
        package let request: Request
        /// False when the client wants the connection closed after this answer.
        package let keepsAlive: Bool

        init(request: Request, keepsAlive: Bool) {
            self.request = request
            self.keepsAlive = keepsAlive
        }

        /// 1.0 clients get no chunked answers.
        package var isHTTP10: Bool { request.isHTTP10 }
    }

    /// What the buffered bytes are, for the server's timers.
    package enum Phase: Sendable { case idle, head, body }

    private enum Stage {
        case requestLine, fields, body, closed
        case refused(Refused)
    }

    private let limits: Limits
    private let peer: Request.Peer
    private let bodyLimit: @Sendable (Request.Method, String) -> Int?
    private let freeBytes: Int

    private var queue = ByteQueue()
    private var stage = Stage.requestLine
    /// Bytes that the lines of the present head have used.
    private var headBytes = 0
    private var head: RequestHead?
    private var body: BodyReader?
    /// Clients send the same fields again and again.
    private var likelyFields = 8
    /// After ``Event/refused(_:)``: the request whose body is the reason, without that body; nil when it was not read so far.
    package private(set) var unread: Parsed?

    /// - Parameter freeBytes: storage that a body may take unasked; for more, ``wantedRoom`` is to be asked for.
    package init(
        limits: Limits, peer: Request.Peer, freeBytes: Int = .max,
        bodyLimit: @escaping @Sendable (Request.Method, String) -> Int?
    ) {
        self.limits = limits
        self.peer = peer
        self.bodyLimit = bodyLimit
        self.freeBytes = freeBytes
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        switch stage {
        case .closed, .refused: break
        default: queue.append(bytes)
        }
    }

    /// The next thing that the buffered bytes say. Call until ``Event/needsMore``: pipelined requests come one by one.
    package mutating func next() -> Event {
        do {
            if let event = try advance() { return event }
            queue.compact()
            return .needsMore
        } catch {
            unread = withoutBody(error)
            end(.refused(error))
            return .refused(error)
        }
    }

    /// Mutating, as the size below is: so a look through an optional copies nothing.
    package var phase: Phase {
        mutating get {
            switch stage {
            case .requestLine: queue.count == 0 ? .idle : .head
            case .fields: .head
            case .body: .body
            case .closed, .refused: .idle
            }
        }
    }

    /// Bytes of the present body received so far, for the minimum rate.
    package var bodyBytesReceived: Int { body?.received ?? 0 }

    /// Bytes that are held and not yet part of a request.
    package var bufferedBytes: Int { queue.count + (body?.received ?? 0) }

    /// Bytes of storage that are held.
    package var heldBytes: Int { mutating get { queue.capacity + (body?.heldBytes ?? 0) } }

    /// Bytes of storage that the present body needs in all: nothing more of it is read until ``grantRoom()``. Nil while it has enough.
    package var wantedRoom: Int? { body?.wantedRoom }

    /// Takes the storage that ``wantedRoom`` asks for, and no more; ``next()`` goes on then.
    package mutating func grantRoom() { body?.grantRoom() }

    /// What has come behind the last request, taken away: it is no HTTP when that request changed the protocol.
    package mutating func takeRest() -> [UInt8] { queue.takeAll() }

    /// Reads on until there is something to say; `nil` when more bytes are needed first.
    private mutating func advance() throws(Refused) -> Event? {
        while true {
            switch stage {
            case .requestLine:
                guard try readRequestLine() else { return nil }
            case .fields:
                guard let line = try nextHeadLine() else { return nil }
                if line.isEmpty {
                    if let event = try finishHead() { return event }
                } else {
                    try head?.add(queue.read(line) { bytes throws(Refused) in try FieldLine(bytes) })
                }
            case .body:
                guard try body?.read(from: &queue) == true else { return nil }
                return finishRequest()
            case .refused(let refused): return .refused(refused)
            case .closed: return nil
            }
        }
    }

    private mutating func readRequestLine() throws(Refused) -> Bool {
        guard let line = try nextHeadLine() else { return false }
        if line.isEmpty {
            // One empty line may stand before a request. Source: RFC 9112 §2.2.
            guard headBytes == 2 else { throw .malformed("empty lines stand before the request line") }
            return true
        }
        head = RequestHead(
            line: try queue.read(line) { bytes throws(Refused) in try RequestLine(bytes) },
            mostFields: limits.headerFields, likely: likelyFields)
        stage = .fields
        return true
    }

    private mutating func nextHeadLine() throws(Refused) -> Range<Int>? {
        let (limit, isFirst) = (limits.headBytes, head == nil)
        guard
            let line = try queue.nextLine(
                limit: limit - headBytes, tooLong: Self.headTooLong(limit, isFirstLine: isFirst))
        else { return nil }
        headBytes += line.count + 2
        return line
    }

    private static func headTooLong(_ limit: Int, isFirstLine: Bool) -> Refused {
        isFirstLine
            ? Refused(.targetTooLong, "the request line is longer than \(limit) bytes")
            : Refused(.headersTooLarge, "the head of the request is longer than \(limit) bytes")
    }

    /// Checks the head, and the declared length before a byte of body is read.
    private mutating func finishHead() throws(Refused) -> Event? {
        guard let framing = try head?.finish(), let head else { return nil }
        if framing == .length(0) { return finishRequest() }
        let limit = bodyLimit(head.line.method, head.line.path) ?? limits.bodyBytes
        let reading: BodyReader.Framing =
            switch framing {
            case .length(let length): .length(length)
            case .chunked: .chunked
            }
        body = try BodyReader(reading, limit: limit, spare: limits.headBytes, free: freeBytes)
        stage = .body
        return head.expectsContinue && queue.count == 0 ? .expectsContinue : nil
    }

    private mutating func finishRequest() -> Event? {
        guard let head else { return nil }
        let request = Request(
            head.line.method, head.line.path, query: head.line.query, headers: head.headers,
            body: body?.take() ?? [], peer: peer, isHTTP10: head.line.isHTTP10)
        likelyFields = head.headers.fields.count
        let parsed = Parsed(request: request, keepsAlive: head.keepsAlive)
        end(head.keepsAlive ? .requestLine : .closed)
        return .request(parsed)
    }

    private func withoutBody(_ fault: Refused) -> Parsed? {
        guard fault.status == .contentTooLarge, let head else { return nil }
        let request = Request(
            head.line.method, head.line.path, query: head.line.query, headers: head.headers, peer: peer,
            isHTTP10: head.line.isHTTP10, fault: fault)
        return Parsed(request: request, keepsAlive: false)
    }

    /// Leaves the present request behind.
    private mutating func end(_ next: Stage) {
        stage = next
        (head, body, headBytes) = (nil, nil, 0)
        switch next {
        case .closed, .refused: queue.removeAll()
        default: break
        }
    }
}
