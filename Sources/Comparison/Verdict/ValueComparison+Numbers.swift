// Numbers: how they are written, times, and what is left of a span.
extension ValueComparison {
    /// Members that say how many seconds are left: what was answered a moment later says less.
    private static let remainders: Set = [
        "expires_in", "expiresin", "ttl", "retry_after", "retryafter", "remaining_seconds", "max_age",
        "expireseconds",
        "refresh_expires_in", "lifetime", "interval", "time_to_live",
    ]
    /// Those that some say in milliseconds: as seconds they would be hours.
    private static let inMilliseconds: Set = ["time_to_live"]

    mutating func compareNumbers(
        _ recorded: String, _ ours: String, _ second: SpelledJSON?, at place: String, name: String
    ) {
        let (there, here) = (Double(recorded) ?? 0, Double(ours) ?? 0)
        let (isWhole, oursIsWhole) = (Self.isWhole(recorded), Self.isWhole(ours))
        if isWhole != oursIsWhole {
            func words(_ isWhole: Bool) -> String { isWhole ? "a whole number" : "a number with a fraction" }
            return add(
                .form, place, recorded: recorded, ours: ours,
                "\(place) is \(words(isWhole)) in the recording (\(recorded)), \(words(oursIsWhole)) from Understudy (\(ours))"
            )
        }
        if Self.isTime(there) || Self.isTime(here) {
            // Seconds and milliseconds since 1970 differ in their length.
            if (abs(there) > 1e11) != (abs(here) > 1e11) || Self.isTime(there) != Self.isTime(here) {
                add(
                    .form, place, recorded: recorded, ours: ours,
                    "\(place) is \(Self.unit(there)) in the recording (\(recorded)), \(Self.unit(here)) from Understudy (\(ours))"
                )
            }
            return
        }
        guard there != here, let again = second?.number else { return }
        let unit = Self.inMilliseconds.contains(name) && min(there, here) > 10_000 ? 1000.0 : 1
        let slack = Self.remainders.contains(name) ? 2 * unit : 0
        // What differs between our own runs is made up anew each time.
        guard abs(again - here) <= slack, abs(there - here) > slack else { return }
        addValue(place, recorded, ours)
    }

    private static func isWhole(_ number: String) -> Bool { !number.contains { ".eE".contains($0) } }

    /// From 2001 on, in seconds or milliseconds.
    private static func isTime(_ number: Double) -> Bool { 1e9...4.2e9 ~= number || 1e12...4.2e12 ~= number }

    private static func unit(_ number: Double) -> String {
        isTime(number)
            ? (number > 1e11 ? "a time in milliseconds" : "a time in seconds") : "a number that is no time"
    }
}
