import Essentials
import PlatformKit

// How the APIs of back ends write times.
extension Date {
    /// Milliseconds since 1970 UTC, as the Cloud API has it.
    var cloudTime: JSONValue { .integer(unixMilliseconds) }

    /// `2026-01-02T03:04:05.678+00:00`, as the management API has it.
    var managementTime: JSONValue { .string(Timestamp.text(self, .offset)) }
}
