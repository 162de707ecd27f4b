import Essentials
import PlatformKit

/// How the APIs of back ends write times.
enum WireTime {
    /// Milliseconds since 1970 UTC, as the Cloud API has it.
    static func milliseconds(_ date: Date) -> JSONValue {
        .integer(Int((date.timeIntervalSince1970 * 1000).rounded()))
    }

    /// `2026-01-02T03:04:05.678+00:00`, as the management API has it.
    static func text(_ date: Date) -> JSONValue { .string(Timestamp.text(date).dropLast() + "+00:00") }

    /// RFC 3339, also with an offset without a colon.
    static func parse(_ text: String) -> Date? {
        if let date = Timestamp.parse(text) { return date }
        guard let match = text.wholeMatch(of: /(.+[+-][0-9]{2})([0-9]{2})/) else { return nil }
        return Timestamp.parse("\(match.1):\(match.2)")
    }
}
