/// Finds the code to type in a mail of which nobody said where it stands.
///
/// A code is 4 to 10 digits, two groups of digits (`123 456`, `1234-5678`), digits behind a prefix (`G-123456`), or 5 to 12 capitals and
/// digits. It counts where a word such as "code" stands on its line or on one of the two before, or where it stands on a line alone in
/// a mail with such a word.
package enum CodeFinder {
    /// Bytes of the text that are looked at.
    private static let most = 32 * 1024

    package static func code(subject: String, text: String) -> String? {
        let lines = [Substring(subject)] + Substring(text.prefix(most)).split(whereSeparator: \.isNewline)
        let words = lines.map { line in line.split(whereSeparator: \.isWhitespace) }.filter { !$0.isEmpty }
        let named = words.map { $0.contains(where: isKeyword) }
        guard named.contains(true) else { return nil }
        var best: (code: String, score: Int)?
        for (index, line) in words.enumerated() {
            let nearness = named[index] ? 3 : named[max(0, index - 2)..<index].contains(true) ? 2 : 0
            for candidate in candidates(in: line) {
                let isAlone = candidate.words == line.count
                // Letters and digits are too often something else.
                guard nearness > 0 || isAlone, candidate.isDigits || isAlone || nearness == 3 else { continue }
                let score = nearness + (isAlone ? 4 : 0) + candidate.weight
                if best.map({ score > $0.score }) ?? true { best = (candidate.code, score) }
            }
        }
        return best?.code
    }

    /// The link that logs in, confirms or resets; else the only one that leads anywhere but to a footer's pages.
    ///
    /// - Parameter links: of the HTML.
    package static func link(text: String, links: [String]) -> String? {
        let found = (Substring(text.prefix(most)).split(whereSeparator: \.isWhitespace).compactMap(address) + links)
            .filter { isAddress($0) && !matches($0, footers) }
        if let named = found.first(where: { matches($0, goals) }) { return named }
        return Set(found).count == 1 ? found.first : nil
    }

    private struct Candidate {
        let code: String
        /// How many words it takes.
        var words = 1
        let isDigits: Bool

        /// Six digits are the most common, four are often a year.
        var weight: Int {
            guard isDigits else { return 0 }
            if code.utf8.count == 4, code.hasPrefix("19") || code.hasPrefix("20") { return -1 }
            return code.utf8.count == 6 ? 2 : 1
        }
    }

    private static func candidates(in line: [Substring]) -> [Candidate] {
        let cores = line.map(core)
        return cores.indices.compactMap { index in
            let core = cores[index]
            if index + 1 < cores.count, isGroups(core, cores[index + 1]), line[index].last?.isNumber == true {
                return Candidate(code: core + cores[index + 1], words: 2, isDigits: true)
            }
            return candidate(core)
        }
    }

    private static func candidate(_ core: String) -> Candidate? {
        let bytes = Array(core.utf8)
        guard 4...13 ~= bytes.count, bytes.allSatisfy({ $0.isAlphanumeric || $0 == UInt8(ascii: "-") }) else { return nil }
        if bytes.allSatisfy(\.isDigit) { return bytes.count <= 10 ? Candidate(code: core, isDigits: true) : nil }
        let groups = core.split(separator: "-", omittingEmptySubsequences: false).map(String.init)
        if groups.count == 2 {
            if isGroups(groups[0], groups[1]) { return Candidate(code: groups.joined(), isDigits: true) }
            let isPrefixed = 1...2 ~= groups[0].utf8.count && 4...8 ~= groups[1].utf8.count
            if isPrefixed, groups[1].utf8.allSatisfy(\.isDigit) { return Candidate(code: groups[1], isDigits: true) }
        }
        guard 5...12 ~= bytes.count, bytes.contains(where: \.isDigit), bytes.contains(where: { 0x41...0x5A ~= $0 }),
            !bytes.contains(where: { 0x61...0x7A ~= $0 }), bytes.first != UInt8(ascii: "-"), bytes.last != UInt8(ascii: "-")
        else { return nil }
        return Candidate(code: core, isDigits: false)
    }

    /// Two groups of three digits, or of four.
    private static func isGroups(_ one: String, _ other: String) -> Bool {
        one.utf8.count == other.utf8.count && 3...4 ~= one.utf8.count && (one + other).utf8.allSatisfy(\.isDigit)
    }

    /// A word without marks around it, and without what stands before a colon; empty for addresses.
    private static func core(_ word: Substring) -> String {
        guard word.utf8.count <= 60, !word.contains("@"), !word.contains("://") else { return "" }
        let behind = word.split(separator: ":").last ?? ""
        let start = behind.drop { !$0.isLetter && !$0.isNumber }
        guard let last = start.lastIndex(where: { $0.isLetter || $0.isNumber }) else { return "" }
        // Money, hashes of colours, parts of longer numbers.
        guard !"#+$€".contains(behind.first ?? " "), !"%€$".contains(behind.last ?? " ") else { return "" }
        return String(start[...last])
    }

    private static func isKeyword(_ word: Substring) -> Bool {
        guard word.utf8.count <= 40, !word.contains("://") else { return false }
        let lower = word.lowercased().filter(\.isLetter)
        return ["code", "passw", "kennw", "verif"].contains(where: lower.contains) || ["pin", "otp", "tan", "mtan"].contains(lower)
    }

    // MARK: Links

    private static let goals = [
        "verif", "confirm", "activat", "login", "log-in", "signin", "sign-in", "magic", "reset", "token", "code", "invit", "auth", "otp",
        "regist", "enrol",
    ]
    private static let footers = ["unsubscribe", "privacy", "preferences", "imprint", "impressum"]

    private static func matches(_ link: String, _ words: [String]) -> Bool {
        let lower = link.lowercased()
        return words.contains(where: lower.contains)
    }

    /// The address in a word, such as `(https://example.com/a).`
    private static func address(_ word: Substring) -> String? {
        guard word.utf8.count <= 4096, let mark = word.ranges(of: "://").first else { return nil }
        let scheme = word[..<mark.lowerBound].reversed().prefix { $0.isASCII && ($0.isLetter || $0.isNumber || "+.-".contains($0)) }
        guard !scheme.isEmpty else { return nil }
        let rest = word[mark.lowerBound...].prefix { !"<>\"".contains($0) }
        guard let last = rest.lastIndex(where: { !".,;:!?)]}'".contains($0) }) else { return nil }
        return String(scheme.reversed()) + rest[...last]
    }

    private static func isAddress(_ link: String) -> Bool {
        guard let mark = link.ranges(of: "://").first, mark.lowerBound > link.startIndex, mark.upperBound < link.endIndex else {
            return false
        }
        return link.utf8.count <= 4096 && link.unicodeScalars.allSatisfy { $0.value > 0x20 && $0.value != 0x7F }
    }
}
