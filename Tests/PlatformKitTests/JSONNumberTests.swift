import PlatformKit
import Testing

/// RFC 8259 §6.
@Suite struct JSONNumberTests {
    @Test(arguments: ["0", "-0", "7", "10", "-123", "0.5", "12.25", "1e3", "1E+3", "-0.5e-10", "0e0"])
    func `what the grammar makes is a number`(_ text: String) {
        #expect(JSONNumber.isWellFormed(text))
    }

    @Test(arguments: [
        "", "-", "+1", "01", "-01", "00", ".5", "1.", "1.e3", "1e", "1e+", "0x10", "1_000", "Infinity", "NaN",
        "1 ", "\u{0661}",
        "1.2.3", "--1",
    ])
    func `what it does not make is none`(_ text: String) {
        #expect(!JSONNumber.isWellFormed(text))
    }
}
