import Essentials

extension Date {
    /// Whole milliseconds since 1970 UTC.
    var milliseconds: Int {
        Int(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
