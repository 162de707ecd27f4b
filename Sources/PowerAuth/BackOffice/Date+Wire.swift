import Essentials
import PlatformKit

// How the APIs of back ends write times.
extension Date {
    /// Milliseconds since 1970 UTC, as the Cloud API has it.
    var cloudTime: JSONValue { .integer(Int((timeIntervalSince1970 * 1000).rounded())) }

    /// `2026-01-02T03:04:05.678+00:00`, as the management API has it.
    var managementTime: JSONValue { .string(Timestamp.text(self, .offset)) }
}

extension Date {
    /// Whole milliseconds since 1970 UTC.
    var milliseconds: Int {
        Int(exactly: (timeIntervalSince1970 * 1000).rounded()) ?? (timeIntervalSince1970 < 0 ? .min : .max)
    }

    init(milliseconds: Int) { self.init(timeIntervalSince1970: Double(milliseconds) / 1000) }
}
