/// Writes frames. Source: RFC 6455 §5.2.
package enum WebSocketWriter {
    /// Appends one frame, its length in as few bytes as it fits.
    ///
    /// - Parameter mask: four bytes, the first one highest: what a client must bring and a server must not.
    package static func write(
        _ opcode: WebSocketOpcode, _ payload: some Collection<UInt8>, isFinal: Bool = true,
        mask: UInt32? = nil, into bytes: inout [UInt8]
    ) {
        bytes.append(opcode.rawValue | (isFinal ? 0x80 : 0))
        writeLength(payload.count, isMasked: mask != nil, into: &bytes)
        guard let mask else { return bytes.append(contentsOf: payload) }
        let key = [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: mask >> UInt32($0)) }
        bytes += key
        for (index, byte) in payload.enumerated() { bytes.append(byte ^ key[index & 3]) }
    }

    /// Appends a message as one frame of a server.
    package static func write(_ message: WebSocketMessage, into bytes: inout [UInt8]) {
        switch message {
        case .text(let text): write(.text, text.utf8, into: &bytes)
        case .binary(let payload): write(.binary, payload, into: &bytes)
        }
    }

    /// Appends a Close frame. A code that must not be sent becomes 1011, and 1005 a frame without a code.
    package static func write(_ close: WebSocketClose, mask: UInt32? = nil, into bytes: inout [UInt8]) {
        write(.close, close.payload, mask: mask, into: &bytes)
    }

    private static func writeLength(_ length: Int, isMasked: Bool, into bytes: inout [UInt8]) {
        let mark: UInt8 = isMasked ? 0x80 : 0
        let (first, extended) =
            switch length {
            case ...125: (UInt8(length), 0)
            case ...0xFFFF: (126, 2)
            default: (127, 8)
            }
        bytes.append(mark | first)
        for index in (0..<extended).reversed() {
            bytes.append(UInt8(truncatingIfNeeded: length >> (8 * index)))
        }
    }
}
