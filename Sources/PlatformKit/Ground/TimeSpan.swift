/// Spans of time as people type them: `500ms`, `10s`, `5m`, `1h30m`, `2d`; a bare number is seconds.
package enum TimeSpan {
    private static let units: [(name: String, seconds: Double)] = [
        ("ms", 0.001), ("s", 1), ("m", 60), ("h", 3600), ("d", 86_400),
    ]

    /// Seconds, or nil when `text` is no span. A leading `-` makes all of it negative.
    package static func seconds(_ text: String) -> Double? {
        let size = text.hasPrefix("-") ? text.dropFirst() : text[...]
        return magnitude(size).map { size.startIndex == text.startIndex ? $0 : -$0 }
    }

    private static func magnitude(_ text: Substring) -> Double? {
        guard !text.isEmpty else { return nil }
        var rest = text
        var total = 0.0
        while !rest.isEmpty {
            guard let number = takeNumber(&rest) else { return nil }
            let unit = rest.prefix { $0.isLetter }
            rest = rest.dropFirst(unit.count)
            guard let scale = scale(of: unit, isWhole: number.text.count == text.count) else { return nil }
            total += number.value * scale
        }
        return total.isFinite && total < 1e12 ? total : nil
    }

    private static func takeNumber(_ rest: inout Substring) -> (text: Substring, value: Double)? {
        let digits = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
        guard let first = digits.first, first != ".", let value = Double(digits) else { return nil }
        rest = rest.dropFirst(digits.count)
        return (digits, value)
    }

    private static func scale(of unit: Substring, isWhole: Bool) -> Double? {
        unit.isEmpty ? (isWhole ? 1 : nil) : units.first { $0.name == unit }?.seconds
    }
}
