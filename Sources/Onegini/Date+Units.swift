import Essentials

extension Date {
    /// Whole seconds, rounded down; 0 for what no integer holds.
    func wholeSeconds(since earlier: Date) -> Int {
        Int(exactly: timeIntervalSince(earlier).rounded(.down)) ?? 0
    }

    /// Since 1970.
    var milliseconds: Int { Int(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? 0 }
    /// Since 1970, rounded down.
    var wholeSeconds: Int { Int(exactly: timeIntervalSince1970.rounded(.down)) ?? 0 }
}
