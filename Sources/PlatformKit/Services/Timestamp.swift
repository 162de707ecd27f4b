package import Essentials

/// Times as the house writes them: RFC 3339, UTC, milliseconds where there are any.
package enum Timestamp {
    /// `2026-01-02T03:04:05.678Z`, always with three digits of a second.
    package static func text(_ date: Date) -> String {
        // Rounded first: the format style cuts, and a binary fraction may lie just below its millisecond.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return Date(timeIntervalSince1970: milliseconds / 1000 + 0.0001).formatted(style)
    }

    /// Any RFC 3339 time, with or without fraction, with `Z` or an offset; nil for anything else.
    package static func parse(_ text: String) -> Date? {
        if let date = try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true)) {
            return date
        }
        // A refusal of both styles is the answer nil.
        return try? Date(text, strategy: Date.ISO8601FormatStyle())
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
