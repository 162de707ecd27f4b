import Testing

import PlatformKit

@Suite struct TimeSpanTests {
    @Test(arguments: [
        ("10s", 10), ("500ms", 0.5), ("5m", 300), ("1h", 3600), ("2d", 172_800), ("1h30m", 5400), ("90", 90),
        ("1.5s", 1.5), ("0", 0), ("-5m", -300), ("-1h30m", -5400),
    ])
    func `a span of time is read`(_ text: String, _ seconds: Double) {
        #expect(TimeSpan.seconds(text) == seconds)
    }

    @Test(arguments: [
        "", "-", "s", "5x", "5 s", "1h30", "5mm", ".5s", "1..5s", "--5s", "1e9s", "٣s", "nan", "99999999999d",
    ])
    func `anything else is none`(_ text: String) {
        #expect(TimeSpan.seconds(text) == nil)
    }
}
