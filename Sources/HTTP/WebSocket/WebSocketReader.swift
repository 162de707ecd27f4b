import Essentials

/// Makes messages of the bytes that one side of a web socket sends. Pure: no socket, no clock.
///
/// How the bytes are split changes nothing. After a Close frame further bytes are ignored, as after a fault. What is held is one
/// message of at most the limit and what was appended since ``next()`` last said ``Event/needsMore``.
///
/// Source: RFC 6455 §5.
package struct WebSocketReader: Sendable {
    package enum Event: Sendable, Equatable {
        /// Nothing whole is buffered.
        case needsMore
        case message(WebSocketMessage)
        case ping([UInt8])
        case pong([UInt8])
        case close(WebSocketClose)
    }

    /// Whose frames are read: a client's are masked, a server's are not.
    package enum Side: Sendable { case client, server }

    private enum Stage {
        case head
        case payload(WebSocketFrameHead, left: Int)
        case ended
        case failed(WebSocketFault)
    }

    /// Frames that one message may come in: enough for one of ``WebSocketUpgrade/messageBytes`` in pieces of 64 bytes.
    package static let mostFragments = 16 * 1024

    private let side: Side
    private let messageBytes: Int
    private let kinds: WebSocketKinds

    private var queue = ByteQueue()
    private var stage = Stage.head
    /// What the present message is; nil between two messages.
    private var opcode: WebSocketOpcode?
    private var message: [UInt8] = []
    /// Frames of the present message.
    private var fragments = 0
    private var utf8 = UTF8Checker()
    private var control: [UInt8] = []

    /// - Parameters:
    ///   - messageBytes: of payload that one message may have; beyond it the fault 1009, with the frame that declares it.
    ///   - kinds: of messages that are taken; another one is the fault 1003.
    package init(
        from side: Side, messageBytes: Int = WebSocketUpgrade.messageBytes, kinds: WebSocketKinds = .all
    ) {
        self.side = side
        self.messageBytes = messageBytes
        self.kinds = kinds
    }

    package mutating func append(_ bytes: UnsafeRawBufferPointer) {
        switch stage {
        case .ended, .failed: break
        default: queue.append(bytes)
        }
    }

    /// Bytes of storage that are held.
    package var heldBytes: Int { queue.capacity + message.capacity }

    /// Bytes that are held.
    package var bufferedBytes: Int { queue.count + message.count + control.count }

    /// The next thing that the buffered bytes say. Call until ``Event/needsMore``.
    package mutating func next() throws(WebSocketFault) -> Event {
        do {
            return try advance() ?? pause()
        } catch {
            end(.failed(error))
            throw error
        }
    }

    /// Reads on until there is something to say; nil when more bytes are needed first.
    private mutating func advance() throws(WebSocketFault) -> Event? {
        while true {
            switch stage {
            case .head:
                guard try readHead() else { return nil }
            case .payload(let head, let left):
                if let event = try readPayload(head, left) { return event }
                guard case .head = stage else { return nil }
            case .ended: return nil
            case .failed(let fault): throw fault
            }
        }
    }

    /// An idle socket holds no storage.
    private mutating func pause() -> Event {
        if queue.count == 0 { queue.removeAll() } else { queue.compact() }
        return .needsMore
    }

    private mutating func readHead() throws(WebSocketFault) -> Bool {
        guard let head = try WebSocketFrameHead(&queue, isMasked: side == .client) else { return false }
        if !head.opcode.isControl { try begin(head) }
        stage = .payload(head, left: head.length)
        return true
    }

    /// Checks how the frame fits the message before its payload is read. Source: RFC 6455 §5.4.
    private mutating func begin(_ head: WebSocketFrameHead) throws(WebSocketFault) {
        try order(head)
        fragments += 1
        // Frames without a byte would make a message that never ends, and never grows.
        guard fragments <= Self.mostFragments else {
            throw WebSocketFault(
                .policyViolation, "the message comes in more than \(Self.mostFragments) frames")
        }
        guard head.length <= messageBytes - message.count else {
            throw WebSocketFault(
                .messageTooBig, "the message is larger than the \(messageBytes) bytes accepted here")
        }
    }

    private mutating func order(_ head: WebSocketFrameHead) throws(WebSocketFault) {
        switch (head.opcode, opcode) {
        case (.continuation, nil):
            throw .protocolError("a continuation frame comes, but no message has begun (RFC 6455 §5.4)")
        case (.continuation, _): break
        case (_, nil):
            guard kinds.contains(head.opcode == .text ? .text : .binary) else {
                throw WebSocketFault(
                    .unsupportedData, "this web socket takes no \(head.opcode) messages")
            }
            opcode = head.opcode
        default:
            throw .protocolError("a message begins within another one (RFC 6455 §5.4)")
        }
    }

    /// - Returns: nil when there is nothing to say yet; the stage tells whether the frame is whole.
    private mutating func readPayload(_ head: WebSocketFrameHead, _ left: Int) throws(WebSocketFault)
        -> Event?
    {
        let phase = head.length - left
        let moved: Int
        if head.opcode.isControl {
            moved = queue.move(left, to: &control)
            Self.unmask(&control, last: moved, head.mask, phase: phase)
        } else {
            moved = queue.move(left, to: &message)
            Self.unmask(&message, last: moved, head.mask, phase: phase)
            if opcode == .text, !utf8.add(message.suffix(moved)) { throw Self.badText }
        }
        guard moved == left else {
            stage = .payload(head, left: left - moved)
            return nil
        }
        stage = .head
        return head.opcode.isControl ? try finishControl(head.opcode) : try finishFrame(head)
    }

    private mutating func finishFrame(_ head: WebSocketFrameHead) throws(WebSocketFault) -> Event? {
        guard head.isFinal else { return nil }
        guard utf8.isComplete else { throw Self.badText }
        if opcode == .text, CombiningMarks.areTooMany(in: message) {
            throw .notText("a text message cannot be read: \(CombiningMarks.sentence)")
        }
        defer { (opcode, message, fragments) = (nil, [], 0) }
        return .message(
            opcode == .text ? .text(String(decoding: message, as: UTF8.self)) : .binary(message))
    }

    private mutating func finishControl(_ opcode: WebSocketOpcode) throws(WebSocketFault) -> Event {
        let payload = control
        control = []
        switch opcode {
        case .ping: return .ping(payload)
        case .pong: return .pong(payload)
        default:
            let close = try WebSocketClose(payload: payload)
            end(.ended)
            return .close(close)
        }
    }

    private mutating func end(_ next: Stage) {
        stage = next
        queue.removeAll()
        (message, control) = ([], [])
    }

    private static let badText = WebSocketFault.notText("a text message is not UTF-8 (RFC 6455 §8.1)")

    /// Undoes the mask of the last `count` bytes, the first of which is number `phase` of its payload. Source: RFC 6455 §5.3.
    private static func unmask(_ bytes: inout [UInt8], last count: Int, _ mask: UInt32?, phase: Int) {
        guard let mask, mask != 0 else { return }
        let start = bytes.count - count
        bytes.withUnsafeMutableBufferPointer { bytes in
            for index in start..<bytes.count {
                let position = UInt32(truncatingIfNeeded: phase + index - start) & 3
                bytes[index] ^= UInt8(truncatingIfNeeded: mask >> (24 - 8 * position))
            }
        }
    }
}
