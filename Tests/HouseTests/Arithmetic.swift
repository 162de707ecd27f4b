/// Finds arithmetic that traps on numbers from outside, by the text of the sources: rows, files and clients may bring any.
enum Arithmetic {
    /// A line that may trap, and what to write in its place.
    struct Trap: Equatable {
        let line: String
        let remedy: String
    }

    /// Names of whole numbers that records of this source keep and change.
    static func counters(in text: String) -> [String] {
        guard text.contains("static let table") else { return [] }
        return text.matches(of: /(?m)^    (?:package )?var (\w+)(?:: Int\??(?: = \d+)?| = 0)$/).map {
            String($0.1)
        }
    }

    /// - Parameter counters: see ``counters(in:)``.
    static func traps(in text: String, counters: Set<String>) -> [Trap] {
        text.split(separator: "\n").map { $0.drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
            .compactMap { line in remedy(line, counters).map { Trap(line: String(line), remedy: $0) } }
    }

    private static func remedy(_ line: Substring, _ counters: Set<String>) -> String? {
        if line.contains(/\bU?Int(?:8|16|32|64)?\((?!saturating:|exactly:|clamping:)[^"]*timeIntervalSince/) {
            return "write unixSeconds, unixMilliseconds, seconds(since:), seconds(until:) or Int(saturating:)"
        }
        if line.contains(/\bU?Int(?:64)?\((?!saturating:|exactly:|clamping:)[^"]*\* 1000\b/) {
            return "write unixMilliseconds, multiplied(by:) or Int(saturating:)"
        }
        if line.contains(/\bInt\((?!saturating:|exactly:|clamping:)[^"]*\.rounded\(/) {
            return "write Int(saturating:) with its rule of rounding"
        }
        let changed = line.matches(of: /\.(\w+)\??\s*(?:\+=\s*\d|\+\s*1\b)/).map { String($0.1) }
        return changed.contains(where: counters.contains) ? "write increment() or adding(_:)" : nil
    }
}
