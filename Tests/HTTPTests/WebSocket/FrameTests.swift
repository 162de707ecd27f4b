import HTTP
import Testing

/// Frames that RFC 6455 allows, and what they say.
struct FrameAcceptance: CustomTestStringConvertible {
    let name: String
    let bytes: [UInt8]
    var side = WebSocketReader.Side.client
    let events: [WebSocketReader.Event]

    init(
        _ name: String, _ bytes: [UInt8], from side: WebSocketReader.Side = .client,
        _ events: WebSocketReader.Event...
    ) {
        (self.name, self.bytes, self.side, self.events) = (name, bytes, side, events)
    }

    var testDescription: String { name }

    static let all = examples + messages + controls + closes

    private static let counting = (0..<256).map { UInt8($0) }

    /// The rows of RFC 6455 §5.7.
    static let examples = [
        FrameAcceptance(
            "unmasked text", hex("81 05 48 65 6c 6c 6f"), from: .server, .message(.text("Hello"))),
        FrameAcceptance("masked text", hex("81 85 37 fa 21 3d 7f 9f 4d 51 58"), .message(.text("Hello"))),
        FrameAcceptance(
            "fragmented unmasked text", hex("01 03 48 65 6c 80 02 6c 6f"), from: .server,
            .message(.text("Hello"))),
        FrameAcceptance(
            "unmasked ping", hex("89 05 48 65 6c 6c 6f"), from: .server, .ping([UInt8]("Hello".utf8))),
        FrameAcceptance(
            "masked pong", hex("8a 85 37 fa 21 3d 7f 9f 4d 51 58"), .pong([UInt8]("Hello".utf8))),
        FrameAcceptance(
            "256 bytes of binary", hex("82 7E 0100") + counting, from: .server, .message(.binary(counting))),
        FrameAcceptance(
            "64 KiB of binary", hex("82 7F 0000000000010000") + [UInt8](repeating: 9, count: 65536),
            from: .server, .message(.binary([UInt8](repeating: 9, count: 65536)))),
    ]

    static let messages = [
        FrameAcceptance("empty text", hex("81 80 01020304"), .message(.text(""))),
        FrameAcceptance("empty binary", hex("82 80 01020304"), .message(.binary([]))),
        FrameAcceptance(
            "125 bytes", hex("82 fd 00000000") + [UInt8](repeating: 1, count: 125),
            .message(.binary([UInt8](repeating: 1, count: 125)))),
        FrameAcceptance(
            "126 bytes", hex("82 fe 007e 00000000") + [UInt8](repeating: 1, count: 126),
            .message(.binary([UInt8](repeating: 1, count: 126)))),
        FrameAcceptance(
            "65535 bytes", hex("82 fe ffff 00000000") + [UInt8](repeating: 1, count: 65535),
            .message(.binary([UInt8](repeating: 1, count: 65535)))),
        FrameAcceptance(
            "each byte of the mask", hex("82 86 01020304 0000000000 00"),
            .message(.binary([1, 2, 3, 4, 1, 2]))),
        FrameAcceptance(
            "two in a row", hex("81 81 00000000 \"a\" 82 81 00000000 62"), .message(.text("a")),
            .message(.binary([0x62]))),
        FrameAcceptance(
            "empty fragments", hex("01 80 00000000 00 80 00000000 80 81 00000000 \"a\""),
            .message(.text("a"))),
        FrameAcceptance(
            "a character in four fragments",
            hex("01 81 00000000 f0 00 81 00000000 9f 00 81 00000000 99 80 81 00000000 82"),
            .message(.text("\u{1F642}"))),
        FrameAcceptance(
            "the first and last of each UTF-8 length",
            hex("81 94 00000000 00 7f c280 dfbf e0a080 efbfbf f0908080 f48fbfbf"),
            .message(.text("\u{0}\u{7F}\u{80}\u{7FF}\u{800}\u{FFFF}\u{10000}\u{10FFFF}"))),
    ]

    static let controls = [
        FrameAcceptance("empty ping", hex("89 80 00000000"), .ping([])),
        FrameAcceptance(
            "ping of 125 bytes", hex("89 fd 00000000") + [UInt8](repeating: 0xFF, count: 125),
            .ping([UInt8](repeating: 0xFF, count: 125))),
        FrameAcceptance(
            "a ping between fragments", hex("01 81 00000000 \"a\" 89 81 00000000 \"p\" 80 81 00000000 \"b\""),
            .ping([0x70]), .message(.text("ab"))),
    ]

    static let closes = [
        FrameAcceptance("close without a code", hex("88 80 00000000"), .close(WebSocketClose(.none))),
        FrameAcceptance("close 1000", hex("88 82 00000000 03e8"), .close(WebSocketClose(.normal))),
        FrameAcceptance(
            "close 4999 with a reason", hex("88 86 00000000 1387 c3a9 \"!\" 21"),
            .close(WebSocketClose(WebSocketCloseCode(rawValue: 4999), "é!!"))),
        FrameAcceptance(
            "close within a message, and nothing after it",
            hex("01 81 00000000 \"a\" 88 82 00000000 03e9 80 81 00000000 \"b\" ff"),
            .close(WebSocketClose(.goingAway))),
    ]
}

struct FrameTests {
    @Test(arguments: FrameAcceptance.all)
    func `a frame says what it says however it is split`(_ row: FrameAcceptance) {
        let whole = FrameReading([row.bytes], from: row.side)
        #expect(whole.events == row.events)
        #expect(whole.fault == nil)
        #expect(FrameReading(row.bytes.map { [$0] }, from: row.side) == whole)
        for cut in 1..<min(row.bytes.count, 300) {
            #expect(
                FrameReading([Array(row.bytes[..<cut]), Array(row.bytes[cut...])], from: row.side) == whole)
        }
    }

    @Test(arguments: FrameAcceptance.examples)
    func `the writer makes the frames of the standard's examples`(_ row: FrameAcceptance) {
        let mask: UInt32? = row.side == .client ? 0x37FA_213D : nil
        var bytes: [UInt8] = []
        switch row.events.first {
        case .message(let message) where row.bytes.first == 0x01:
            WebSocketWriter.write(.text, message.bytes.prefix(3), isFinal: false, into: &bytes)
            WebSocketWriter.write(.continuation, message.bytes.dropFirst(3), into: &bytes)
        case .message(let message) where mask == nil: WebSocketWriter.write(message, into: &bytes)
        case .message(let message): WebSocketWriter.write(.text, message.bytes, mask: mask, into: &bytes)
        case .ping(let payload): WebSocketWriter.write(.ping, payload, mask: mask, into: &bytes)
        case .pong(let payload): WebSocketWriter.write(.pong, payload, mask: mask, into: &bytes)
        default: Issue.record("an example without an event")
        }
        #expect(bytes == row.bytes)
    }

    @Test(arguments: [
        (0, "82 00"), (125, "82 7d"), (126, "82 7e 007e"), (65535, "82 7e ffff"),
        (65536, "82 7f 0000000000010000"),
    ])
    func `a length is written in as few bytes as it fits`(_ count: Int, _ head: String) {
        var bytes: [UInt8] = []
        WebSocketWriter.write(.binary([UInt8](repeating: 0, count: count)), into: &bytes)

        #expect(Array(bytes.dropLast(count)) == hex(head))
    }

    @Test func `a message may be as large as the limit, fragments together`() {
        let bytes = hex("02 82 00000000 0102 80 82 00000000 0304")

        #expect(FrameReading([bytes], messageBytes: 4).events == [.message(.binary([1, 2, 3, 4]))])
        #expect(FrameReading([bytes], messageBytes: 3).fault?.code == .messageTooBig)
    }

    @Test func `the limit holds for each message anew`() {
        let bytes = hex("82 83 00000000 010203 82 83 00000000 040506")

        #expect(
            FrameReading([bytes], messageBytes: 3).events
                == [.message(.binary([1, 2, 3])), .message(.binary([4, 5, 6]))])
    }
}
