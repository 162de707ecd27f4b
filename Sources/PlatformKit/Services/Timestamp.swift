package import Essentials

/// Times as the house writes them: RFC 3339, UTC, milliseconds where there are any.
package enum Timestamp {
    /// `2026-01-02T03:04:05.678Z`, always with three digits of a second.
    package static func text(_ date: Date) -> String {
        // Rounded first: the format style cuts, and a binary fraction may lie just below its millisecond.
        let milliseconds = (date.timeIntervalSince1970 * 1000).rounded()
        return Date(timeIntervalSince1970: milliseconds / 1000 + 0.0001).formatted(style)
    }

    /// Any RFC 3339 time, with or without fraction, with `Z` or an offset; nil for anything else, and for days and hours that
    /// there are not.
    package static func parse(_ text: String) -> Date? {
        guard let parts = text.wholeMatch(of: shape) else { return nil }
        let numbers = [parts.1, parts.2, parts.3, parts.4, parts.5, parts.6].map { Int($0) ?? 0 }
        let (year, month, day) = (numbers[0], numbers[1], numbers[2])
        guard 1...12 ~= month, 1...days(in: month, of: year) ~= day, numbers[3] < 24, numbers[4] < 60,
            numbers[5] < 60
        else { return nil }
        let text = text.uppercased()
        // The shape is right by now; what a style still refuses is no time.
        return parts.7 == nil
            ? try? Date(text, strategy: Date.ISO8601FormatStyle()) : try? Date(text, strategy: style)
    }

    // RFC 3339 §5.6. A leap second is not known here.
    private static var shape:
        Regex<(Substring, Substring, Substring, Substring, Substring, Substring, Substring, Substring?)>
    {
        /([0-9]{4})-([0-9]{2})-([0-9]{2})[Tt]([0-9]{2}):([0-9]{2}):([0-9]{2})(\.[0-9]{1,9})?(?:[Zz]|[+-](?:[01][0-9]|2[0-3]):[0-5][0-9])/
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    private static let style = Date.ISO8601FormatStyle(includingFractionalSeconds: true)
}
