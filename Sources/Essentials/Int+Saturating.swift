// Arithmetic with numbers that come from a row, a file or a client: the nearest number that there is stands for one that there is not.
extension Int {
    /// Without its fraction, rounded down unless told otherwise; the last number in range for one beyond it, 0 for what is no number.
    package init(saturating value: Double, _ rule: FloatingPointRoundingRule = .down) {
        let whole = value.rounded(rule)
        self = Int(exactly: whole) ?? (whole > 0 ? .max : whole < 0 ? .min : 0)
    }

    package func adding(_ other: Int) -> Int {
        let (sum, overflows) = addingReportingOverflow(other)
        return overflows ? (other < 0 ? .min : .max) : sum
    }

    package func subtracting(_ other: Int) -> Int {
        let (rest, overflows) = subtractingReportingOverflow(other)
        return overflows ? (other < 0 ? .max : .min) : rest
    }

    package func multiplied(by other: Int) -> Int {
        let (product, overflows) = multipliedReportingOverflow(by: other)
        return overflows ? ((self < 0) == (other < 0) ? .max : .min) : product
    }

    /// Counts one more; a counter that is at its end stays there.
    package mutating func increment() { self = adding(1) }
}

extension ClosedRange<Int> {
    /// The numbers that every JSON reader keeps exactly, and no larger ones: a thousand of the last one is in range still.
    /// Source: RFC 7493 §2.2.
    package static var exactInJSON: Self { -9_007_199_254_740_991...9_007_199_254_740_991 }
}
