import Essentials

extension Date {
    /// Whole seconds since 1970, as both APIs write times.
    var wholeSeconds: Int { Int(timeIntervalSince1970.rounded(.down)) }

    /// Whole seconds that have passed since `earlier`.
    func seconds(since earlier: Date) -> Int { Int(timeIntervalSince(earlier).rounded(.down)) }
}
