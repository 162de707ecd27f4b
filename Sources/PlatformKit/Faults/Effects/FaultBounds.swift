import Essentials
import HTTP

/// Ranges of the numbers of rules.
enum FaultBounds {
    /// Seconds that a fault may hold something up.
    private static let seconds = 0.001...3600.0
    /// Bytes of a body.
    static let mostBytes = 1 << 20
    /// Bytes of a body that stands in a rule.
    private static let mostOfRule = 64 << 10

    /// - Throws: ``FixtureProblem``.
    static func require(_ range: ClosedRange<Int>, _ number: Int?, _ path: [String]) throws {
        guard let number, !range.contains(number) else { return }
        let bounds =
            range.upperBound == .max
            ? "\(range.lowerBound) or more" : "\(range.lowerBound) to \(range.upperBound)"
        throw FixtureProblem(at: path, "expected a whole number, \(bounds), found \(number)")
    }

    /// - Throws: ``FixtureProblem``.
    static func require(
        _ range: ClosedRange<Double>, _ number: Double?, _ expected: String, _ path: [String]
    ) throws {
        guard let number, !range.contains(number) else { return }
        throw FixtureProblem(at: path, "expected \(expected), found \(number.plain)")
    }

    /// - Throws: ``FixtureProblem``.
    static func check(seconds number: Double?, _ path: [String]) throws {
        try require(seconds, number, "a number of seconds from 0.001 to 3600", path)
    }

    /// A field of a head that a rule writes.
    ///
    /// - Throws: ``FixtureProblem``.
    static func check(field name: String, _ value: String, _ path: [String]) throws {
        guard !name.isEmpty, name.utf8.allSatisfy({ $0.isToken }),
            value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }), value.utf8.count <= 4096
        else {
            throw FixtureProblem(at: path, "expected the name of a header field and a text on one line")
        }
    }

    /// What a rule writes into an answer.
    ///
    /// - Throws: ``FixtureProblem``.
    static func check(body: JSONValue, _ path: [String]) throws {
        let count = body.bytes.count
        guard count > mostOfRule else { return }
        throw FixtureProblem(at: path, "expected at most \(mostOfRule) bytes, found \(count)")
    }

    /// `10/60s`.
    static func rate(_ text: String) -> (count: Int, seconds: Double)? {
        let parts = text.split(separator: "/", omittingEmptySubsequences: false)
        guard parts.count == 2, let count = Int(parts[0]), let seconds = TimeSpan.seconds(String(parts[1]))
        else { return nil }
        return (count, seconds)
    }
}

extension Double {
    /// `2` rather than `2.0`.
    var plain: String { Int(exactly: self).map(String.init) ?? "\(self)" }
}
