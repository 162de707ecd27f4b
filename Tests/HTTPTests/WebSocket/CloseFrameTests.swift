import HTTP
import Testing

struct CloseFrameTests {
    private func written(_ close: WebSocketClose) -> [UInt8] {
        var bytes: [UInt8] = []
        WebSocketWriter.write(close, into: &bytes)
        return bytes
    }

    @Test func `a Close frame has its code and its reason`() {
        #expect(written(WebSocketClose(.goingAway, "bye")) == hex("88 05 03e9 \"bye\""))
    }

    @Test func `without a code there is no payload`() {
        #expect(written(WebSocketClose(.none, "unsaid")) == hex("88 00"))
    }

    @Test(arguments: [0, 1004, 1006, 1015, 2000, 5000])
    func `a code that must not be sent is our failure`(_ code: UInt16) {
        #expect(written(WebSocketClose(WebSocketCloseCode(rawValue: code))) == hex("88 02 03f3"))
    }

    @Test func `a reason that is too long is cut between characters`() {
        let reason = String(repeating: "a", count: 122) + "é"

        #expect(
            written(WebSocketClose(.normal, reason)) == hex("88 7c 03e8") + [UInt8](reason.utf8.dropLast(2)))
    }
}
