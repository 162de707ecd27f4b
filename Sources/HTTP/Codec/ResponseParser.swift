/// Reads the answer to one request from bytes as they arrive. Pure: no socket, no clock.
///
/// Interim answers (1xx) are passed over. The body comes in pieces, as it arrives.
///
/// Source: RFC 9112, RFC 9110.
package struct ResponseParser: Sendable {
    package enum Event: Sendable, Equatable {
        case needsMore
        case head(ResponseHead)
        /// Some bytes of the body, never none.
        case body([UInt8])
        /// The answer is whole.
        case end
    }

    private enum Stage {
        case statusLine, fields, body, done
    }

    /// Interim answers before the final one; more are a server gone wrong.
    private static let mostInterims = 16

    private let headLimit: Int
    private let bodyLimit: Int
    private let isHead: Bool
    private let takesUpgrade: Bool

    private var queue = ByteQueue()
    private var stage = Stage.statusLine
    private var headBytes = 0
    private var interims = 0
    private var head: ResponseHead?
    private var body: BodyReader?
    private var endsWithConnection = false
    private var keepsAlive = false

    /// - Parameters:
    ///   - method: of the request; the answer to HEAD has no body.
    ///   - headBytes: bytes of status line and fields together.
    ///   - bodyBytes: bytes of body; `Int.max` for a stream.
    ///   - takesUpgrade: an answer 101 is final: what follows it is for ``takeRest()``.
    package init(
        answering method: Request.Method, headBytes: Int = 64 * 1024, bodyBytes: Int = 64 * 1024 * 1024,
        takesUpgrade: Bool = false
    ) {
        self.takesUpgrade = takesUpgrade
        isHead = method == .head
        headLimit = headBytes
        bodyLimit = bodyBytes
    }

    /// Whether the answer is whole, and the connection good for another: the server keeps it open and has said nothing further.
    package var leavesConnectionOpen: Bool { stage == .done && keepsAlive && queue.count == 0 }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) { queue.append(bytes) }

    /// The next thing that the bytes say. Call until ``Event/needsMore`` or ``Event/end``.
    ///
    /// - Throws: a fault, after which the parser is of no more use.
    package mutating func next() throws(WireFault) -> Event {
        while true {
            switch stage {
            case .statusLine, .fields:
                guard let line = try nextHeadLine() else { return needsMore() }
                if let head = try read(line) { return .head(head) }
            case .body:
                let isWhole = try body?.read(from: &queue) ?? true
                if isWhole { stage = .done }
                if let piece = body?.take(), !piece.isEmpty { return .body(piece) }
                if !isWhole { return needsMore() }
            case .done: return .end
            }
        }
    }

    /// The server has closed the connection: the end of some answers, too early for others.
    package mutating func close() throws(WireFault) {
        switch stage {
        case .done: break
        case .body where endsWithConnection: stage = .done
        case .body: throw .malformed("the server closed the connection in the middle of the body")
        case .statusLine where queue.count == 0:
            throw .malformed("the server closed the connection without an answer")
        case .statusLine, .fields:
            throw .malformed("the server closed the connection in the middle of the head")
        }
    }

    /// Bytes that came behind the answer, in the protocol that it agreed on.
    package mutating func takeRest() -> [UInt8] { queue.takeAll() }

    private mutating func needsMore() -> Event {
        queue.compact()
        return .needsMore
    }

    private mutating func nextHeadLine() throws(WireFault) -> Range<Int>? {
        let limit = headLimit
        guard
            let line = try queue.nextLine(
                limit: limit - headBytes,
                tooLong: .malformed("the head of the answer is longer than \(limit) bytes"))
        else { return nil }
        headBytes += line.count + 2
        return line
    }

    /// - Returns: the head, when `line` was its last.
    private mutating func read(_ line: Range<Int>) throws(WireFault) -> ResponseHead? {
        if case .statusLine = stage {
            head = try queue.read(line) { bytes throws(WireFault) in try ResponseHead(statusLine: bytes) }
            stage = .fields
            return nil
        }
        if !line.isEmpty {
            try head?.add(queue.read(line) { bytes throws(WireFault) in try FieldLine(bytes) })
            return nil
        }
        guard let whole = head else { return nil }
        (head, headBytes) = (nil, 0)
        if whole.status.code == 101, takesUpgrade {
            stage = .done
            return whole
        }
        if whole.status.code < 200 {
            try passOver(whole)
            return nil
        }
        let framing = try whole.framing(toHead: isHead)
        endsWithConnection = if case .untilClose = framing { true } else { false }
        keepsAlive = whole.keepsAlive && !endsWithConnection
        body = try BodyReader(framing, limit: bodyLimit, spare: headLimit)
        stage = if case .length(0) = framing { .done } else { .body }
        return whole
    }

    /// Source: RFC 9110 §15.2.
    private mutating func passOver(_ interim: ResponseHead) throws(WireFault) {
        interims += 1
        guard interim.status.code != 101, interims <= Self.mostInterims else {
            throw .malformed("the server answered \(interim.status.code) where a final answer was due")
        }
        stage = .statusLine
    }
}
