import Essentials
import PlatformKit
import Testing

@testable import Hanko

struct ValueTests {
    /// Values of the examples in the documentation of Go's package time.
    @Test(arguments: [
        ("12h", 43_200.0), ("1h15m30.918s", 4_530.918), ("300ms", 0.3), ("-1.5h", -5_400), ("2h45m", 9_900),
        ("0", 0),
        ("+5s", 5), ("1us", 1e-6), ("1µs", 1e-6), ("1ns", 1e-9),
    ])
    func `durations are read as Go reads them`(text: String, seconds: Double) throws {
        let read = try #require(GoDuration.seconds(text))
        #expect(abs(read - seconds) < 1e-9)
    }

    @Test(arguments: ["", "h", "12", "12 h", "12d", "1h-30m", "abc", "-", "1.2.3s", ".s"])
    func `what is no duration is nothing`(text: String) {
        #expect(GoDuration.seconds(text) == nil)
    }

    @Test(arguments: [
        (1_767_323_045.0, "2026-01-02T03:04:05Z"), (1_767_323_045.123, "2026-01-02T03:04:05.123Z"),
        (1_767_323_045.12, "2026-01-02T03:04:05.12Z"), (1_767_323_045.1, "2026-01-02T03:04:05.1Z"),
        (1_767_323_050.0, "2026-01-02T03:04:10Z"), (1_767_323_045.005, "2026-01-02T03:04:05.005Z"),
    ])
    func `times drop trailing zeros of the fraction`(seconds: Double, text: String) {
        #expect(Timestamp.text(Date(timeIntervalSince1970: seconds), .trimmed) == text)
    }

    @Test(arguments: [
        ("ada00000-0000-4000-8000-000000000001", true), ("ada00000-0000-4000-b000-000000000001", true),
        ("ada00000-0000-4000-c000-000000000001", false), ("ada00000-0000-5000-8000-000000000001", false),
        ("ADA00000-0000-4000-8000-000000000001", false), ("ada000000000-4000-8000-0000-00000001", false),
        ("ada00000-0000-4000-8000-00000000000", false), ("ada00000-0000-4000-8000-0000000000011", false),
        ("", false),
    ])
    func `version 4 UUIDs in lower case are told from others`(text: String, isValid: Bool) {
        #expect(UUIDText.isVersion4(text) == isValid)
    }

    @Test func `identifiers made of bytes are version 4 UUIDs`() {
        // RFC 9562 §5.4: version and variant bits are set, the others kept.
        #expect(
            Entropy.uuid(of: Array(0x00...0x0F)) == "00010203-0405-4607-8809-0a0b0c0d0e0f")
        #expect(
            Entropy.uuid(of: [UInt8](repeating: 0xFF, count: 32)) == "ffffffff-ffff-4fff-bfff-ffffffffffff")
    }

    @Test func `passcodes are kept as a hash that depends on the row`() {
        let (one, other) = (Passcode.digest(of: "123456", id: "a"), Passcode.digest(of: "123456", id: "b"))

        #expect(one.count == 32)
        #expect(one != other)
        #expect(one != Passcode.digest(of: "123457", id: "a"))
    }
}
