import Essentials

/// How the Mobile Token API writes times: `2026-01-02T03:04:05+0000`, UTC, without a fraction, which would break a published client.
enum MobileTime {
    static func text(_ date: Date) -> String {
        let seconds = Int(date.timeIntervalSince1970.rounded(.down))
        let (days, time) = (Int((Double(seconds) / 86_400).rounded(.down)), seconds.modulo(86_400))
        let (year, month, day) = civil(days)
        return String(unsafeUninitializedCapacity: 24) { text in
            var place = 0
            func write(_ number: Int, _ digits: Int, _ sign: Unicode.Scalar) {
                var rest = number
                for index in stride(from: place + digits - 1, through: place, by: -1) {
                    text[index] = UInt8(ascii: "0") + UInt8(rest % 10)
                    rest /= 10
                }
                text[place + digits] = UInt8(ascii: sign)
                place += digits + 1
            }
            write(year, 4, "-")
            write(month, 2, "-")
            write(day, 2, "T")
            write(time / 3600, 2, ":")
            write(time / 60 % 60, 2, ":")
            write(time % 60, 2, "+")
            for index in place..<place + 4 { text[index] = UInt8(ascii: "0") }
            return place + 4
        }
    }

    /// Of a day counted from 1970-01-01, years 0 to 9999: shifted to eras of 400 years that begin with March.
    private static func civil(_ days: Int) -> (year: Int, month: Int, day: Int) {
        let shifted = days + 719_468
        let era = (shifted - shifted.modulo(146_097)) / 146_097
        let dayOfEra = shifted.modulo(146_097)
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        let year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
        return (min(max(year, 0), 9999), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }
}

extension Int {
    /// The remainder that is never negative.
    fileprivate func modulo(_ divisor: Int) -> Int {
        let rest = self % divisor
        return rest < 0 ? rest + divisor : rest
    }
}
