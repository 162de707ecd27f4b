/// Lengths of time as Hanko's configuration writes them: `12h`, `1h30m`, `1.5s`, `300ms`.
///
/// Source: Go, package time, `ParseDuration`.
enum GoDuration {
    /// Seconds; nil when the text is no duration.
    static func seconds(_ text: String) -> Double? {
        if text == "0" { return 0 }
        var rest = text[...]
        let sign: Double = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        var total = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0 != "." && !$0.isNumber }
            rest = rest.dropFirst(unit.count)
            guard let count = Double(number), let seconds = units[String(unit)] else { return nil }
            total += count * seconds
        }
        return sign * total
    }

    private static let units: [String: Double] = [
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    ]
}
