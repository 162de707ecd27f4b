import HTTP

extension WebSocketSubject {
    var corpus: [[UInt8]] {
        Self.frames.map { opcode, payload, isFinal, mask in
            var bytes: [UInt8] = []
            WebSocketWriter.write(opcode, payload, isFinal: isFinal, mask: mask, into: &bytes)
            return bytes
        } + Self.bytes
    }

    var dictionary: [[UInt8]] {
        Self.bytes + [
            [0x81], [0x01], [0x80], [0x00], [0x82], [0x88], [0x89], [0x8A], [0xFE], [0xFF], [0xC1], [0x7E],
            [0x7F], [0, 0, 0, 0], [0, 0x7E], [0xFF, 0xFF], [0, 0, 0, 0, 0, 1, 0, 0],
            [0x80, 0, 0, 0, 0, 0, 0, 0],
            [0x03, 0xE8], [0x03, 0xED], [0x0F, 0xA0], [0xC2, 0x80],
            [0xED, 0xA0, 0x80], [0xE0, 0x9F], [0xF0, 0x9F, 0x99, 0x82], [0xF4, 0x90], [0xC0, 0x80],
        ]
    }

    static let frames: [(WebSocketOpcode, [UInt8], Bool, UInt32?)] = [
        (.text, [UInt8]("Hello".utf8), true, 0x37FA_213D), (.text, [UInt8]("hé🙂".utf8), true, 0),
        (.text, [UInt8]("Hel".utf8), false, 0x0102_0304), (.continuation, [UInt8]("lo".utf8), true, 0),
        (.continuation, [], false, 0), (.binary, (0..<200).map { UInt8($0) }, true, 0xFFFF_FFFF),
        (.binary, [UInt8](repeating: 1, count: 126), false, 0),
        (.ping, [1, 2], true, 0), (.pong, [], true, 0), (.close, [3, 0xE8] + "bye".utf8, true, 0),
        (.close, [], true, 0), (.text, [65], true, nil),
    ]

    /// Frames with something wrong.
    private static let bytes: [[UInt8]] = [
        [0x81, 0xFE, 0, 5, 0, 0, 0, 0], [0x82, 0xFF, 0x80, 0, 0, 0, 0, 0, 0, 0], [0x09, 0x80],
        [0x89, 0xFE, 0, 126], [0x88, 0x81, 0, 0, 0, 0, 3], [0x88, 0x82, 0, 0, 0, 0, 3, 0xED],
        [0x83, 0x80], [0xC1, 0x80], [0x81, 0x82, 0, 0, 0, 0, 0xC0, 0x80],
    ]
}
