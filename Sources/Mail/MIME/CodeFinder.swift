/// Finds the code to type in a mail of which nobody said where it stands.
///
/// A code is 4 to 10 digits, two groups of digits (`123 456`, `1234-5678`), digits behind a prefix (`G-123456`), or 5 to 12 capitals and
/// digits. It counts where a word such as "code" stands on its line or on one of the two before, or where it stands on a line alone in
/// a mail with such a word. Bytes rather than characters, because each mail is looked through.
package enum CodeFinder {
    /// Bytes of the text that are looked at.
    private static let most = 32 * 1024

    private typealias Word = ArraySlice<UInt8>

    package static func code(subject: String, text: String) -> String? {
        let lines = lines(subject) + lines(text)
        let named = lines.map { $0.contains(where: isKeyword) }
        guard named.contains(true) else { return nil }
        var best: (code: Word, score: Int)?
        for (index, line) in lines.enumerated() {
            let nearness = named[index] ? 3 : named[max(0, index - 2)..<index].contains(true) ? 2 : 0
            for candidate in candidates(in: line, isNamed: nearness > 0) {
                let isAlone = candidate.words == line.count
                // Letters and digits are too often something else.
                guard nearness > 0 || isAlone, candidate.isDigits || isAlone || nearness == 3 else {
                    continue
                }
                let score = nearness + (isAlone ? 4 : 0) + candidate.weight
                if best.map({ score > $0.score }) ?? true { best = (candidate.code, score) }
            }
        }
        return best.map { String(decoding: $0.code, as: UTF8.self) }
    }

    /// The lines that are not empty, as words between white space.
    private static func lines(_ text: String) -> [[Word]] {
        Array(text.utf8.prefix(most)).split { $0 == .lineFeed || $0 == .carriageReturn }
            .map { line in line.split { $0 <= 0x20 } }.filter { !$0.isEmpty }
    }

    private struct Candidate {
        let code: Word
        /// How many words it takes.
        var words = 1
        let isDigits: Bool

        /// Six digits are the most common, four are often a year.
        var weight: Int {
            guard isDigits else { return 0 }
            if code.count == 4, code.starts(with: "19".utf8) || code.starts(with: "20".utf8) { return -1 }
            return code.count == 6 ? 2 : 1
        }
    }

    private static func candidates(in line: [Word], isNamed: Bool) -> [Candidate] {
        // Only a line of one or two words can be a code alone.
        guard isNamed || line.count <= 2 else { return [] }
        let cores = line.map { $0.contains(where: \.isDigit) ? core($0) : [] }
        return cores.indices.compactMap { index in
            let core = cores[index]
            if core.isEmpty { return nil }
            if index + 1 < cores.count, isGroups(core, cores[index + 1]), line[index].last?.isDigit == true {
                return Candidate(code: core + cores[index + 1], words: 2, isDigits: true)
            }
            return candidate(core)
        }
    }

    private static func candidate(_ core: Word) -> Candidate? {
        let dash = UInt8(ascii: "-")
        guard 4...13 ~= core.count, core.allSatisfy({ $0.isAlphanumeric || $0 == dash }) else { return nil }
        if core.allSatisfy(\.isDigit) {
            return core.count <= 10 ? Candidate(code: core, isDigits: true) : nil
        }
        let groups = core.split(separator: dash, omittingEmptySubsequences: false)
        if groups.count == 2 {
            if isGroups(groups[0], groups[1]) {
                return Candidate(code: groups[0] + groups[1], isDigits: true)
            }
            if 1...2 ~= groups[0].count, 4...8 ~= groups[1].count, groups[1].allSatisfy(\.isDigit) {
                return Candidate(code: groups[1], isDigits: true)
            }
        }
        guard 5...12 ~= core.count, core.contains(where: \.isDigit),
            core.contains(where: { 0x41...0x5A ~= $0 }),
            !core.contains(where: { 0x61...0x7A ~= $0 })
        else { return nil }
        return Candidate(code: core, isDigits: false)
    }

    /// Two groups of three digits, or of four.
    private static func isGroups(_ one: Word, _ other: Word) -> Bool {
        one.count == other.count && 3...4 ~= one.count && one.allSatisfy(\.isDigit)
            && other.allSatisfy(\.isDigit)
    }

    /// A word without marks around it, and without what stands before a colon; empty for addresses, money, colours and the like.
    private static func core(_ word: Word) -> Word {
        guard word.count <= 60, !word.contains(UInt8(ascii: "@")), !contains(word, "://") else { return [] }
        let behind = word.split(separator: UInt8(ascii: ":")).last ?? []
        if let first = behind.first, "#+$".utf8.contains(first) { return [] }
        if let last = behind.last, "%$".utf8.contains(last) { return [] }
        // The sign of the euro, before and behind.
        if behind.starts(with: "€".utf8) || behind.suffix(3).elementsEqual("€".utf8) { return [] }
        let start = behind.drop { !$0.isAlphanumeric }
        guard let last = start.lastIndex(where: \.isAlphanumeric) else { return [] }
        return start[...last]
    }

    private static let parts: [StaticString] = ["code", "passw", "kennw", "verif"]
    private static let wholes: [StaticString] = ["pin", "otp", "tan", "mtan"]

    private static func isKeyword(_ word: Word) -> Bool {
        guard 3...60 ~= word.count, !contains(word, "://") else { return false }
        if parts.contains(where: { contains(word, $0) }) { return true }
        let bare = word.drop { !$0.isAlphanumeric }.prefix(while: \.isAlphanumeric)
        return 3...4 ~= bare.count
            && wholes.contains { bare.count == $0.utf8CodeUnitCount && contains(bare, $0) }
    }

    // MARK: Links

    private static let goals: [StaticString] = [
        "verif", "confirm", "activat", "login", "log-in", "signin", "sign-in", "magic", "reset", "token",
        "code", "invit", "auth", "otp",
        "regist", "enrol",
    ]
    private static let footers: [StaticString] = [
        "unsubscribe", "privacy", "preferences", "imprint", "impressum",
    ]

    /// The link that logs in, confirms or resets; else the only one that leads anywhere but to a footer's pages.
    ///
    /// - Parameter links: of the HTML.
    package static func link(text: String, links: [String]) -> String? {
        let found = (addresses(in: Array(text.utf8.prefix(most))) + links.map { Array($0.utf8)[...] }).filter
        { address in
            isAddress(address) && !footers.contains { contains(address, $0) }
        }
        if let named = found.first(where: { address in goals.contains { contains(address, $0) } }) {
            return String(decoding: named, as: UTF8.self)
        }
        return Set(found).count == 1 ? found.first.map { String(decoding: $0, as: UTF8.self) } : nil
    }

    /// Those in a text, such as `(https://example.com/a).`
    private static func addresses(in bytes: [UInt8]) -> [Word] {
        var (found, index) = ([Word](), 0)
        while index + 2 < bytes.count {
            guard bytes[index] == UInt8(ascii: ":"), bytes[index + 1] == UInt8(ascii: "/"),
                bytes[index + 2] == UInt8(ascii: "/")
            else {
                index += 1
                continue
            }
            let start =
                bytes[..<index].lastIndex { !$0.isAlphanumeric && !"+.-".utf8.contains($0) }.map { $0 + 1 }
                ?? 0
            let rest = bytes[index...].prefix { $0 > 0x20 && !"<>\"".utf8.contains($0) }
            if let last = rest.lastIndex(where: { !".,;:!?)]}'".utf8.contains($0) }) {
                found.append(bytes[start...max(last, index)])
            }
            index = rest.endIndex
        }
        return found
    }

    /// A scheme, two slashes, and something behind them.
    private static func isAddress(_ link: Word) -> Bool {
        let scheme = link.prefix { $0.isAlphanumeric || "+.-".utf8.contains($0) }
        let rest = link[scheme.endIndex...]
        return !scheme.isEmpty && rest.starts(with: "://".utf8) && rest.count > 3 && link.count <= 4096
            && link.allSatisfy { $0 > 0x20 && $0 != 0x7F }
    }

    /// Whether `part`, in lower case, stands in `bytes` in any case.
    private static func contains(_ bytes: Word, _ part: StaticString) -> Bool {
        let wanted = UnsafeBufferPointer(start: part.utf8Start, count: part.utf8CodeUnitCount)
        guard bytes.count >= wanted.count else { return false }
        return bytes.withUnsafeBufferPointer { bytes in
            for start in 0...(bytes.count - wanted.count) where bytes[start].lowercased == wanted[0] {
                var index = 1
                while index < wanted.count, bytes[start + index].lowercased == wanted[index] { index += 1 }
                if index == wanted.count { return true }
            }
            return false
        }
    }
}
