import Essentials
import PlatformKit
import Testing

/// Sources: RFC 3339 §5.6 and the examples of §5.8; seconds since 1970 by Python's `datetime`.
@Suite struct TimestampTests {
    @Test(arguments: [
        ("1985-04-12T23:20:50.52Z", 482_196_050.52), ("1996-12-19T16:39:57-08:00", 851_042_397),
        ("1937-01-01T12:00:27.87+00:20", -1_041_337_172.13), ("0001-01-01T00:00:00Z", -62_135_596_800),
        ("2000-02-29t23:59:59z", 951_868_799), ("1582-10-10T00:00:00Z", -12_219_724_800),
        ("9999-12-31T23:59:59.999Z", 253_402_300_799.999),
        ("2026-11-28T18:00:00.123456+05:45", 1_795_868_100.123456),
    ])
    func `a time of RFC 3339 is read`(_ text: String, _ seconds: Double) throws {
        let date = try #require(Timestamp.parse(text))
        #expect(abs(date.timeIntervalSince1970 - seconds) < 0.000_1)
        #expect(Timestamp.parseLeniently(text) == date)
    }

    @Test(arguments: [
        "", "2026-01-02", "2026-01-02T03:04:05", "2026-01-02 03:04:05Z", "2026-01-02T03:04:05+0000",
        "2026-13-01T00:00:00Z", "2026-02-29T00:00:00Z", "1900-02-29T00:00:00Z", "2026-04-31T00:00:00Z",
        "2026-01-00T00:00:00Z", "2026-01-02T24:00:00Z", "2026-01-02T03:60:00Z", "1990-12-31T23:59:60Z",
        "2026-01-02T03:04:05.Z", "2026-01-02T03:04:05.1234567890Z", "2026-01-02T03:04:05+24:00",
        "2026-01-02T03:04:05+00:60", "2026-01-02T03:04:05ZZ", " 2026-01-02T03:04:05Z", "２026-01-02T03:04:05Z",
        "2026-01-02T03:04:05Z\u{301}", "26-01-02T03:04:05Z", "+026-01-02T03:04:05Z",
    ])
    func `anything else is no time`(_ text: String) { #expect(Timestamp.parse(text) == nil) }

    @Test func `an offset may lack its colon where products write it so`() {
        #expect(
            Timestamp.parseLeniently("2026-01-02T03:04:05.5-0130")
                == Timestamp.parse("2026-01-02T03:04:05.5-01:30"))
        #expect(Timestamp.parseLeniently("+0130") == nil)
    }

    @Test func `what is written is read as the same time`() throws {
        for milliseconds in [0, 1, 999, 1_795_868_100_123, -62_135_596_800_000, 253_402_300_799_999] {
            let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
            #expect(Timestamp.parse(Timestamp.text(date)) == date)
        }
    }
}
