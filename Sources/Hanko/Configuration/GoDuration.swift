import Essentials
import PlatformKit

/// A length of time as Hanko's configuration writes it: `12h`, `1h30m`, `1.5s`, `300ms`.
///
/// Source: Go, package time, `ParseDuration`.
struct GoDuration: Decodable, Sendable, Equatable {
    /// Ten years, in seconds. Longer ones only come from slips, and the sums of time and duration must stay in range.
    static let longest = 315_360_000.0

    let text: String
    let seconds: Double

    static let zero = GoDuration(seconds: 0, text: "0")
    static func minutes(_ count: Int) -> GoDuration {
        GoDuration(seconds: Double(count) * 60, text: "\(count)m")
    }
    static func hours(_ count: Int) -> GoDuration {
        GoDuration(seconds: Double(count) * 3600, text: "\(count)h")
    }

    private init(seconds: Double, text: String) { (self.seconds, self.text) = (seconds, text) }

    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        guard let seconds = Self.seconds(text), seconds.isFinite else {
            throw FixtureProblem(
                at: [], "expected a duration such as “12h” or “1h30m”, found “\(text)”")
        }
        self.seconds = seconds
    }

    /// Nil when the text is no duration.
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
