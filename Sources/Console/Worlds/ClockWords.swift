import Essentials
import PlatformKit

/// What people read of a world's clock that does not show the real time.
enum ClockWords {
    private static let units: [(seconds: Int, one: String, many: String)] = [
        (365 * 86_400, "year", "years"), (86_400, "day", "days"), (3600, "h", "h"), (60, "min", "min"),
        (1, "s", "s"),
    ]

    /// `+1 day 2 h` or `frozen`; nil for the real time.
    static func shift(_ clock: WorldClock.Setting) -> String? {
        if clock.frozenAt != nil { return "frozen" }
        let seconds = clock.offsetSeconds.rounded()
        guard abs(seconds) >= 1, abs(seconds) < 1e12 else { return nil }
        return (seconds < 0 ? "−" : "+") + span(Int(saturating: abs(seconds)))
    }

    /// A span in its largest unit and the next smaller one, or that alone: `1 day 2 h`.
    static func span(_ seconds: Int, units limit: Int = 2) -> String {
        guard let first = units.firstIndex(where: { seconds >= $0.seconds }) else { return "0 s" }
        var rest = seconds
        let parts = units[first...].prefix(limit).compactMap { unit -> String? in
            let count = rest / unit.seconds
            rest %= unit.seconds
            return count == 0 ? nil : "\(count) \(count == 1 ? unit.one : unit.many)"
        }
        return parts.joined(separator: " ")
    }
}
