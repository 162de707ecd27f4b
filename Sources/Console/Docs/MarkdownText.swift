/// Reads what stands in a paragraph, a heading or a cell.
struct MarkdownText {
    struct Problem: Error {
        /// Counted from 0, in the paragraph.
        let line: Int
        let reason: String
    }

    private let whole: String
    private var at: String.Index

    init(_ text: String) {
        whole = text
        at = text.startIndex
    }

    private var rest: Substring { whole[at...] }

    private func problem(_ reason: String) -> Problem {
        Problem(line: whole[..<at].count { $0 == "\n" }, reason: reason)
    }

    /// All of it, or what comes before `end`, which is passed.
    mutating func inlines(until end: String? = nil) throws -> [Markdown.Inline] {
        var (found, plain) = ([Markdown.Inline](), "")
        while let character = rest.first {
            if let end, rest.hasPrefix(end) {
                at = whole.index(at, offsetBy: end.count)
                return found + (plain.isEmpty ? [] : [.text(plain)])
            }
            if let inline = try inline(character) {
                if !plain.isEmpty { found.append(.text(plain)) }
                (plain, found) = ("", found + [inline])
            } else {
                try check(character)
                plain.append(character)
                at = whole.index(after: at)
            }
        }
        if let end { throw problem("a \(end) is missing") }
        return found + (plain.isEmpty ? [] : [.text(plain)])
    }

    /// What begins with this character and is no plain text; nil for plain text.
    private mutating func inline(_ character: Character) throws -> Markdown.Inline? {
        switch character {
        case "`": return try code()
        case "!" where rest.dropFirst().first == "[": return try image()
        case "[": return try link()
        case "*":
            let mark = rest.hasPrefix("**") ? "**" : "*"
            let inside = rest.dropFirst(mark.count)
            guard let first = inside.first, !first.isWhitespace, first != "*" else {
                throw problem("a star stands in code, or begins something emphasized")
            }
            at = inside.startIndex
            let words = try inlines(until: mark)
            return mark == "*" ? .emphasis(words) : .strong(words)
        default: return nil
        }
    }

    private mutating func code() throws -> Markdown.Inline {
        let inside = rest.dropFirst()
        guard let end = inside.firstIndex(of: "`"), end > inside.startIndex else {
            throw problem("code begins and ends with one ` and is not empty")
        }
        let text = inside[..<end].map { $0 == "\n" ? " " : String($0) }.joined()
        guard !text.hasPrefix(" "), !text.hasSuffix(" ") else {
            throw problem("code begins and ends without a blank")
        }
        at = inside.index(after: end)
        return .code(text)
    }

    private mutating func image() throws -> Markdown.Inline {
        at = whole.index(after: at)
        guard case .link(let alternative, let from)? = try link() else {
            throw problem("an image is ![text](file)")
        }
        return .image(alternative: alternative.map(\.plain).joined(), from: from)
    }

    /// nil for a bracket that is one.
    private mutating func link() throws -> Markdown.Inline? {
        let start = at
        at = whole.index(after: at)
        guard rest.contains("]") else {
            at = start
            return nil
        }
        let inside = try inlines(until: "]")
        guard rest.hasPrefix("(") else {
            if rest.hasPrefix("[") || rest.hasPrefix(":") { throw problem("links are [text](address)") }
            at = start
            return nil
        }
        let address = rest.dropFirst().prefix { $0 != ")" && !$0.isWhitespace && $0 != "(" }
        guard !address.isEmpty, whole[address.endIndex...].hasPrefix(")") else {
            throw problem("the address of a link has neither blanks nor brackets")
        }
        at = whole.index(after: address.endIndex)
        return .link(inside, to: String(address))
    }

    /// Refuses what would not be plain text to other readers of Markdown.
    private func check(_ character: Character) throws {
        let next = rest.dropFirst().first
        switch character {
        case "<" where next.map { $0.isLetter || "/!?".contains($0) } == true:
            throw problem("no HTML; a < stands in code or before a blank")
        case "&" where next.map { $0.isLetter || $0 == "#" } == true: throw problem("no entities")
        case "\\": throw problem("a backslash stands in code")
        case "~" where next == "~": throw problem("no strikethrough")
        case "_":
            let before = at > whole.startIndex ? whole[whole.index(before: at)] : " "
            guard before.isLetter || before.isNumber, let next, next.isLetter || next.isNumber else {
                throw problem("an underscore stands in code or inside of a word")
            }
        default: break
        }
    }
}
