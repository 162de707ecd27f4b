package import Essentials

/// Times in text, UTC: as the house writes them, and as products do.
package enum Timestamp {
    /// How a time is written.
    package enum Form: Sendable {
        /// `2026-01-02T03:04:05.678Z`, always with three digits of a second.
        case milliseconds
        /// The same without the zeros at the end of the fraction, `2026-01-02T03:04:05.6Z`: what Go writes.
        case trimmed
        /// `2026-01-02T03:04:05.678+00:00`
        case offset
        /// `2026-01-02T03:04:05+0000`, without a fraction.
        case seconds
    }

    /// As the house writes times: ``Form/milliseconds``.
    package static func text(_ date: Date) -> String { text(date, .milliseconds) }

    /// - Parameter date: of the years 0 to 9999; of others the nearest time in them is written.
    package static func text(_ date: Date, _ form: Form) -> String {
        // Rounded first: a binary fraction may lie just below its millisecond. Seconds are cut.
        let exact = Int(
            saturating: date.timeIntervalSince1970 * 1000, form == .seconds ? .down : .toNearestOrAwayFromZero
        )
        let milliseconds = exact.clamped(to: years)
        return String(unsafeUninitializedCapacity: 29) { text in
            var writer = TimestampWriter(text: text)
            writer.write(milliseconds, form)
            return writer.count
        }
    }

    /// Milliseconds since 1970.
    private static let years = -62_167_219_200_000...253_402_300_799_999

    /// Any RFC 3339 time, with or without fraction, with `Z` or an offset; nil for anything else, and for days and hours that
    /// there are not.
    package static func parse(_ text: String) -> Date? {
        guard text.utf8.count <= longest else { return nil }
        var reader = TimestampReader(text: Array(text.utf8))
        return reader.date()
    }

    /// The same, with an offset that may lack its colon as well.
    package static func parseLeniently(_ text: String) -> Date? {
        let end = text.utf8.suffix(5)
        guard let sign = end.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-"),
            end.count == 5, end.dropFirst().allSatisfy({ UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 })
        else { return parse(text) }
        return parse("\(text.dropLast(2)):\(text.suffix(2))")
    }

    /// `2026-01-02T03:04:05.123456789+01:00`
    private static let longest = 35
}

/// Reads a time byte by byte: reading by a pattern takes a hundred times as long. Source: RFC 3339 §5.6. A leap second is not known here.
private struct TimestampReader {
    let text: [UInt8]
    private var index = 0

    init(text: [UInt8]) { self.text = text }

    /// Nil for what is no time.
    mutating func date() -> Date? {
        guard let year = number(4), take("-"), let month = number(2), take("-"), let day = number(2),
            take("T") || take("t"), let hour = number(2), take(":"), let minute = number(2), take(":"),
            let second = number(2), let fraction = fraction(), let offset = offset(), index == text.count,
            1...12 ~= month, 1...Self.days(in: month, of: year) ~= day, hour < 24, minute < 60, second < 60
        else { return nil }
        let time = hour * 3600 + minute * 60 + second - offset
        return Date(timeIntervalSince1970: Double(Self.day(year, month, day) * 86_400 + time) + fraction)
    }

    private mutating func number(_ digits: Int) -> Int? {
        var value = 0
        for _ in 0..<digits {
            guard let digit = digit() else { return nil }
            value = value * 10 + digit
        }
        return value
    }

    private mutating func digit() -> Int? {
        guard index < text.count, UInt8(ascii: "0")...UInt8(ascii: "9") ~= text[index] else { return nil }
        defer { index += 1 }
        return Int(text[index] - UInt8(ascii: "0"))
    }

    private mutating func take(_ sign: Unicode.Scalar) -> Bool {
        guard index < text.count, text[index] == UInt8(ascii: sign) else { return false }
        index += 1
        return true
    }

    /// Of a second: one to nine digits, or none.
    private mutating func fraction() -> Double? {
        guard take(".") else { return 0 }
        let start = index
        var (value, divisor) = (0, 1)
        while index - start < 9, let digit = digit() {
            (value, divisor) = (value * 10 + digit, divisor * 10)
        }
        return index > start ? Double(value) / Double(divisor) : nil
    }

    /// In seconds.
    private mutating func offset() -> Int? {
        if take("Z") || take("z") { return 0 }
        let isBehind = take("-")
        guard isBehind || take("+"), let hour = number(2), hour < 24, take(":"),
            let minute = number(2), minute < 60
        else { return nil }
        return (isBehind ? -1 : 1) * (hour * 3600 + minute * 60)
    }

    private static func days(in month: Int, of year: Int) -> Int {
        let isLeap = year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400))
        return month == 2 ? (isLeap ? 29 : 28) : [4, 6, 9, 11].contains(month) ? 30 : 31
    }

    /// Counted from 1970-01-01, in eras of 400 years that begin with March.
    private static func day(_ year: Int, _ month: Int, _ day: Int) -> Int {
        let shifted = month <= 2 ? year - 1 : year
        let (era, yearOfEra) = (shifted.floored(by: 400), shifted.modulo(400))
        let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
        return era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468
    }
}

/// Writes a time digit by digit, at a tenth of the cost of a format style.
private struct TimestampWriter {
    let text: UnsafeMutableBufferPointer<UInt8>
    private(set) var count = 0

    init(text: UnsafeMutableBufferPointer<UInt8>) { self.text = text }

    mutating func write(_ milliseconds: Int, _ form: Timestamp.Form) {
        let seconds = milliseconds.floored(by: 1000)
        let (days, time) = (seconds.floored(by: 86_400), seconds.modulo(86_400))
        let (year, month, day) = civil(days)
        for (number, digits, sign) in [
            (year, 4, "-"), (month, 2, "-"), (day, 2, "T"), (time / 3600, 2, ":"), (time / 60 % 60, 2, ":"),
        ] as [(Int, Int, Unicode.Scalar)] {
            write(number, digits)
            write(sign)
        }
        write(time % 60, 2)
        if form != .seconds { writeFraction(milliseconds.modulo(1000), isTrimmed: form == .trimmed) }
        for sign in form.zone.unicodeScalars { write(sign) }
    }

    private mutating func writeFraction(_ milliseconds: Int, isTrimmed: Bool) {
        if isTrimmed, milliseconds == 0 { return }
        write(".")
        write(milliseconds, 3)
        while isTrimmed, text[count - 1] == UInt8(ascii: "0") { count -= 1 }
    }

    private mutating func write(_ number: Int, _ digits: Int) {
        var rest = number
        for index in stride(from: count + digits - 1, through: count, by: -1) {
            text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
            rest /= 10
        }
        count += digits
    }

    private mutating func write(_ sign: Unicode.Scalar) {
        text[count] = UInt8(ascii: sign)
        count += 1
    }

    /// Of a day counted from 1970-01-01: shifted to eras of 400 years that begin with March.
    private func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = shifted.floored(by: 146_097)
        let dayOfEra = shifted.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (year, month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Timestamp.Form {
    fileprivate var zone: String {
        switch self {
        case .milliseconds, .trimmed: "Z"
        case .offset: "+00:00"
        case .seconds: "+0000"
        }
    }
}

extension Int {
    /// The remainder that is never negative.
    fileprivate func modulo(_ divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }

    fileprivate func floored(by divisor: Int) -> Int { (self - modulo(divisor)) / divisor }
}
