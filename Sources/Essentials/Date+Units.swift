// Times as whole numbers, and what is added to them. None of it traps: a time may come from a row, a file or a client.
extension Date {
    /// 1970 to 9999: what every format on the wire can say, and what is stored.
    package static let writable =
        Date(timeIntervalSince1970: 0)...Date(timeIntervalSince1970: 253_402_300_799.999)

    /// Milliseconds since 1970 UTC; the nearest time of ``writable`` for one outside of it.
    package init(unixMilliseconds: Int) {
        self = Date(timeIntervalSince1970: Double(unixMilliseconds) / 1000).clamped(to: Self.writable)
    }

    /// Whole seconds since 1970 UTC, rounded down.
    package var unixSeconds: Int { Int(saturating: timeIntervalSince1970) }

    /// Whole milliseconds since 1970 UTC, the nearest.
    package var unixMilliseconds: Int {
        Int(saturating: timeIntervalSince1970 * 1000, .toNearestOrAwayFromZero)
    }

    /// The same without a fraction of a millisecond.
    package var wholeMilliseconds: Date {
        Date(unixMilliseconds: Int(saturating: timeIntervalSince1970 * 1000))
    }

    /// Whole seconds that have passed since then, rounded down; 0 when then is still to come, as for a turn that reads what a later
    /// one wrote.
    package func seconds(since earlier: Date) -> Int { max(Int(saturating: timeIntervalSince(earlier)), 0) }

    /// Whole seconds that are left until then, rounded up; 0 when it is past.
    package func seconds(until later: Date) -> Int {
        max(Int(saturating: later.timeIntervalSince(self), .up), 0)
    }

    /// - Returns: the nearest time of ``writable`` for one outside of it.
    package func adding(seconds: Int) -> Date { adding(seconds: Double(seconds)) }

    /// The same with a fraction; what is no number adds nothing.
    package func adding(seconds: Double) -> Date {
        seconds.isNaN ? self : addingTimeInterval(seconds).clamped(to: Self.writable)
    }
}

extension Comparable {
    /// The nearest value of `range`.
    package func clamped(to range: ClosedRange<Self>) -> Self {
        min(max(self, range.lowerBound), range.upperBound)
    }
}
