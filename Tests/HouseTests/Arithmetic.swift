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
        // Most lines have none of these, and expressions are slow.
        let converts = ["timeIntervalSince", "* 1000", ".rounded("].contains { text.contains($0) }
        let counts = text.utf8.contains(UInt8(ascii: "+"))
        guard converts || counts else { return [] }
        return text.utf8.split(separator: UInt8(ascii: "\n")).filter {
            $0.contains(UInt8(ascii: "+")) || converts && $0.contains(UInt8(ascii: "("))
        }
        .map { Substring($0).drop { $0 == " " } }.filter { !$0.hasPrefix("//") }
        .compactMap { line in remedy(line, counters).map { Trap(line: String(line), remedy: $0) } }
    }

    private static func remedy(_ line: Substring, _ counters: Set<String>) -> String? {
        if line.utf8.contains(UInt8(ascii: "I")), let remedy = conversion(line) { return remedy }
        guard line.utf8.contains(UInt8(ascii: "+")) else { return nil }
        let changed = line.matches(of: /\.(\w+)\??\s*(?:\+=\s*\d|\+\s*1\b)/).map { String($0.1) }
        return changed.contains(where: counters.contains) ? "write increment() or adding(_:)" : nil
    }

    private static func conversion(_ line: Substring) -> String? {
        if line.contains(/\bU?Int(?:8|16|32|64)?\((?!saturating:|exactly:|clamping:)[^"]*timeIntervalSince/) {
            return "write unixSeconds, unixMilliseconds, seconds(since:), seconds(until:) or Int(saturating:)"
        }
        if line.contains(/\bU?Int(?:64)?\((?!saturating:|exactly:|clamping:)[^"]*\* 1000\b/) {
            return "write unixMilliseconds, multiplied(by:) or Int(saturating:)"
        }
        if line.contains(/\bInt\((?!saturating:|exactly:|clamping:)[^"]*\.rounded\(/) {
            return "write Int(saturating:) with its rule of rounding"
        }
        return nil
    }
}

/// Finds a time that is read before a turn and used within it: another turn may come between, and what it wrote lies in the future then.
enum EarlyTimes {
    /// The first line of each turn that uses a time read before it.
    static func turns(in text: String) -> [String] {
        // Most files have none, and expressions are slow.
        guard text.contains(".change {") || text.contains(".write {"),
            text.contains("let now") || text.contains("let (") && text.contains("now")
        else { return [] }
        var (found, isEarly): ([String], Bool) = ([], false)
        var open: (line: Substring, end: String)?
        for line in text.split(separator: "\n") {
            let code = line.drop { $0 == " " }
            if code.hasPrefix("//") { continue }
            if let turn = open {
                if line == turn.end || line.hasPrefix(turn.end + ")") { open = nil }
                if code.contains(/(?:^|[^.\w])now\b(?!\(|:)/), found.last != String(turn.line) {
                    found.append(String(turn.line))
                }
            } else if code.contains(/\bfunc |\binit\(/) {
                isEarly = false
            } else if code.contains(/let (?:now|\(.*\bnow\b.*\)) = (?!.*turn\.now)/) {
                isEarly = true
            } else if isEarly, code.contains(/\.(?:change|write) \{.*[^.\w]now\b(?!\(|:)/) {
                found.append(String(code))
            } else if isEarly, code.contains(/\.(?:change|write) \{(?!.*\})/) {
                open = (code, String(line.prefix { $0 == " " }) + "}")
            }
        }
        return found
    }
}
