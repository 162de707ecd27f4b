/// What stands before the payload of a frame. Source: RFC 6455 §5.2.
struct WebSocketFrameHead: Sendable {
    let isFinal: Bool
    let opcode: WebSocketOpcode
    let length: Int
    /// Four bytes, the first one highest; nil for a frame that is not masked.
    let mask: UInt32?

    /// Bytes of payload that a control frame may have. Source: RFC 6455 §5.5.
    static let longestControl = 125

    /// Takes a head from the queue; nil, and nothing taken, while it is not whole. What the first two bytes say is refused
    /// without waiting for more.
    init?(_ queue: inout ByteQueue, isMasked: Bool) throws(WebSocketFault) {
        guard let start = queue.peek(2), let first = start.first, let second = start.last else { return nil }
        opcode = try Self.opcode(first)
        isFinal = first & 0x80 != 0
        let short = Int(second & 0x7F)
        try Self.check(opcode, isFinal: isFinal, length: short)
        try Self.check(second, isMasked: isMasked)
        let lengthBytes = short == 126 ? 2 : short == 127 ? 8 : 0
        guard let head = queue.peek(2 + lengthBytes + (isMasked ? 4 : 0)) else { return nil }
        let extended = head.dropFirst(2).prefix(lengthBytes)
        length = lengthBytes == 0 ? short : try Self.length(extended)
        mask = isMasked ? head.suffix(4).reduce(0) { $0 << 8 | UInt32($1) } : nil
        queue.drop(head.count)
    }

    private static func opcode(_ byte: UInt8) throws(WebSocketFault) -> WebSocketOpcode {
        guard byte & 0x70 == 0 else {
            throw .protocolError("a reserved bit is set, but no extension was agreed on (RFC 6455 §5.2)")
        }
        guard let opcode = WebSocketOpcode(rawValue: byte & 0x0F) else {
            throw .protocolError("the opcode \(byte & 0x0F) is reserved (RFC 6455 §5.2)")
        }
        return opcode
    }

    private static func check(_ opcode: WebSocketOpcode, isFinal: Bool, length: Int) throws(WebSocketFault) {
        guard opcode.isControl else { return }
        guard isFinal else {
            throw .protocolError("a control frame is fragmented (RFC 6455 §5.5)")
        }
        guard length <= longestControl else {
            throw .protocolError("a control frame has more than \(longestControl) bytes (RFC 6455 §5.5)")
        }
    }

    private static func check(_ byte: UInt8, isMasked: Bool) throws(WebSocketFault) {
        guard (byte & 0x80 != 0) != isMasked else { return }
        throw .protocolError(
            isMasked
                ? "a frame of the client is not masked (RFC 6455 §5.1)"
                : "a frame of the server is masked (RFC 6455 §5.1)")
    }

    private static func length(_ bytes: some Collection<UInt8>) throws(WebSocketFault) -> Int {
        let length = bytes.reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        guard length >> 63 == 0 else {
            throw .protocolError("the highest bit of a 64-bit length is set (RFC 6455 §5.2)")
        }
        guard length > (bytes.count == 2 ? 125 : 0xFFFF) else {
            throw .protocolError("\(length) is not written in as few bytes as it fits (RFC 6455 §5.2)")
        }
        return Int(length)
    }
}
