/// The time that the platform believes it is while it serves the request.
package struct ClockSkewEffect: StrikesRequests {
    package static let key = "clock_skew"
    package static let title = "a wrong clock"
    package static let form = "1h, -5m"
    package static let does = "the device's clock is ahead by this time"

    /// Years either way that a device's clock can be wrong.
    private static let most = 100 * 365.25 * 86_400

    /// How far the device's clock is ahead of the platform's; negative when it is behind.
    package var seconds: Double

    package init?(_ text: String) {
        guard let seconds = TimeSpan.seconds(text) else { return nil }
        self.seconds = seconds
    }

    private var span: String { "\(abs(seconds).plain) s \(seconds < 0 ? "behind" : "ahead")" }

    package var words: String { "device clock \(span)" }
    package var phase: FaultPhase { .request(self) }

    package func check(at path: [String]) throws {
        let expected = "a number of seconds, at most 3155760000 (100 years) either way"
        try FaultBounds.require(-Self.most...Self.most, seconds, expected, path + ["seconds"])
    }

    package func strike(_ request: inout StruckRequest) { request.skew += seconds }

    package func sentence(_ fault: String, _: StruckRequest) -> String {
        "By the \(fault) the platform took the clock of this device to be \(span)."
    }
}
