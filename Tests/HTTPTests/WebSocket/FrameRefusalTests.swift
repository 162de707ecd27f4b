import HTTP
import Testing

/// Frames that RFC 6455 forbids, and the code with which the connection ends.
struct FrameRefusal: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    let code: WebSocketCloseCode
    let reason: String
    var side = WebSocketReader.Side.client

    init(
        _ name: String, _ text: String, _ reason: String, _ code: WebSocketCloseCode = .protocolError,
        from side: WebSocketReader.Side = .client
    ) {
        (self.name, self.bytes, self.code, self.reason, self.side) = (name, hex(text), code, reason, side)
    }

    var testDescription: String { name }

    static let all = heads + order + texts + closes

    private static let reserved = "a reserved bit is set, but no extension was agreed on (RFC 6455 §5.2)"
    private static let long = "a control frame has more than 125 bytes (RFC 6455 §5.5)"
    private static let fragmented = "a control frame is fragmented (RFC 6455 §5.5)"

    static let heads = [
        FrameRefusal("RSV1, as of a compressed message", "c1 80", reserved),
        FrameRefusal("RSV2", "a1 80", reserved),
        FrameRefusal("RSV3", "91 80", reserved),
        FrameRefusal("not masked", "81 05", "a frame of the client is not masked (RFC 6455 §5.1)"),
        FrameRefusal("masked", "81 85", "a frame of the server is masked (RFC 6455 §5.1)", from: .server),
        FrameRefusal("long ping", "89 fe", long),
        FrameRefusal("very long ping", "89 ff", long),
        FrameRefusal("long close", "88 fe", long),
        FrameRefusal("fragmented ping", "09 80", fragmented),
        FrameRefusal("fragmented pong", "0a 80", fragmented),
        FrameRefusal("fragmented close", "08 80", fragmented),
        FrameRefusal(
            "125 in two bytes", "82 fe 007d 00000000",
            "125 is not written in as few bytes as it fits (RFC 6455 §5.2)"),
        FrameRefusal(
            "0 in eight bytes", "82 ff 0000000000000000 00000000",
            "0 is not written in as few bytes as it fits (RFC 6455 §5.2)"),
        FrameRefusal(
            "65535 in eight bytes", "82 ff 000000000000ffff 00000000",
            "65535 is not written in as few bytes as it fits (RFC 6455 §5.2)"),
        FrameRefusal(
            "the highest bit of a length", "82 ff 8000000000000000 00000000",
            "the highest bit of a 64-bit length is set (RFC 6455 §5.2)"),
        FrameRefusal(
            "one byte more than the limit", "82 ff 0000000000100001 00000000",
            "the message is larger than the 1048576 bytes accepted here", .messageTooBig),
        FrameRefusal(
            "the largest length", "82 ff 7fffffffffffffff 00000000",
            "the message is larger than the 1048576 bytes accepted here", .messageTooBig),
    ]

    static let order = [
        FrameRefusal(
            "a continuation of nothing", "80 80 00000000",
            "a continuation frame comes, but no message has begun (RFC 6455 §5.4)"),
        FrameRefusal(
            "a continuation after the last fragment", "01 80 00000000 80 80 00000000 80 80 00000000",
            "a continuation frame comes, but no message has begun (RFC 6455 §5.4)"),
        FrameRefusal(
            "a text within a text", "01 80 00000000 81 80 00000000",
            "a message begins within another one (RFC 6455 §5.4)"),
        FrameRefusal(
            "a binary within a text", "01 80 00000000 02 80 00000000",
            "a message begins within another one (RFC 6455 §5.4)"),
    ]

    static let texts = [
        "80", "bf", "c0 80", "c1 bf", "c2 41", "e0 9f bf", "ed a0 80", "ee 41", "f0 8f bf bf", "f4 90 80 80",
        "f5", "ff", "c3", "e2 82", "f0 9f 99",
    ].map { text in
        FrameRefusal(
            "text \(text)", "81 8\(hex(text).count) 00000000 \(text)",
            "a text message is not UTF-8 (RFC 6455 §8.1)", .invalidPayload)
    }

    static let closes =
        [0, 999, 1004, 1005, 1006, 1015, 1016, 2999, 5000, 65535].map { code in
            FrameRefusal(
                "close \(code)", "88 82 00000000 " + (code < 4096 ? "0" : "") + padded(code),
                "\(code) must not stand in a Close frame (RFC 6455 §7.4)")
        } + [
            FrameRefusal(
                "half a code", "88 81 00000000 03",
                "a Close frame has one byte of payload; a code has two (RFC 6455 §5.5.1)"),
            FrameRefusal(
                "a reason that is no text", "88 83 00000000 03e8 ff",
                "the reason of a Close frame is not UTF-8 (RFC 6455 §5.5.1)", .invalidPayload),
        ]

    private static func padded(_ code: Int) -> String {
        let digits = String(code, radix: 16)
        return String(repeating: "0", count: (code < 4096 ? 3 : 4) - digits.count) + digits
    }
}

struct FrameRefusalTests {
    @Test(arguments: FrameRefusal.all)
    func `a frame that is none ends the connection, however it is split`(_ row: FrameRefusal) {
        let fault = WebSocketFault(row.code, row.reason)
        #expect(FrameReading([row.bytes], from: row.side).fault == fault)
        #expect(FrameReading(row.bytes.map { [$0] }, from: row.side).fault == fault)
        for cut in 1..<row.bytes.count {
            let pieces = [Array(row.bytes[..<cut]), Array(row.bytes[cut...])]
            #expect(FrameReading(pieces, from: row.side).fault == fault)
        }
    }

    @Test(arguments: [3, 4, 5, 6, 7, 0xB, 0xC, 0xD, 0xE, 0xF])
    func `reserved opcodes are refused`(_ opcode: UInt8) {
        #expect(
            FrameReading([[0x80 | opcode, 0x80]]).fault
                == WebSocketFault(.protocolError, "the opcode \(opcode) is reserved (RFC 6455 §5.2)"))
    }

    @Test func `bytes that begin no character are refused before the message is whole`() {
        #expect(FrameReading([hex("01 85 00000000 c080")]).fault?.code == .invalidPayload)
    }

    @Test func `nothing is read after a refusal`() throws {
        var reader = WebSocketReader(from: .client)
        hex("c1 80").withUnsafeBytes { reader.append($0) }
        #expect(throws: WebSocketFault.self) { try reader.next() }

        hex("81 80 00000000").withUnsafeBytes { reader.append($0) }

        #expect(reader.bufferedBytes == 0)
        #expect(throws: WebSocketFault.self) { try reader.next() }
    }

    @Test(arguments: ["", "61"])
    func `a message of very many small frames is refused, whatever stands between them`(_ payload: String) {
        let length = payload.isEmpty ? "80" : "81"
        let more = hex("00 \(length) 00000000 \(payload) 89 80 00000000")
        let last = hex("80 80 00000000")
        let first = hex("02 80 00000000")

        let most = (2..<WebSocketReader.mostFragments).map { _ in more }
        let taken = FrameReading([first] + most + [last, first] + most + [last])
        #expect(taken.fault == nil)
        #expect(taken.events.filter { $0 != .ping([]) }.count == 2)

        let refused = FrameReading([first] + most + [more, last])
        #expect(
            refused.fault
                == WebSocketFault(.policyViolation, "the message comes in more than 16384 frames"))
    }

    @Test func `a kind that is not taken is refused with its first frame`() {
        let text = hex("01 80 00000000")
        let binary = hex("02 80 00000000")

        #expect(FrameReading([binary], kinds: .text).fault?.code == .unsupportedData)
        #expect(FrameReading([text], kinds: .text).fault == nil)
        #expect(FrameReading([text], kinds: .binary).fault?.code == .unsupportedData)
        #expect(FrameReading([binary], kinds: .binary).fault == nil)
    }
}
