/// Reads a fixture file: JSON, and of JSON5 what people like in files they write by hand: comments, trailing commas,
/// single-quoted strings and bare member names.
///
/// Source: RFC 8259; JSON5 1.0 sections 3, 5 and 7.
struct FixtureParser {
    /// Objects and lists inside one another; far beyond any real file, far below the stack.
    private static let depthLimit = 64

    private let scalars: [Unicode.Scalar]
    private let file: String
    private var index = 0
    private var line = 1
    private var lineStart = 0

    init(_ text: String, file: String) {
        scalars = Array(text.unicodeScalars)
        self.file = file
    }

    static func parse(_ text: String, file: String) throws -> FixtureNode {
        var parser = FixtureParser(text, file: file)
        let node = try parser.node(depth: 0)
        try parser.skipBlank()
        guard parser.index == parser.scalars.count else {
            throw parser.failure("expected the end of the file")
        }
        return node
    }

    private var position: FixtureNode.Position {
        FixtureNode.Position(file: file, line: line, column: index - lineStart + 1)
    }

    private var next: Unicode.Scalar? { index < scalars.count ? scalars[index] : nil }

    private func failure(_ reason: String) -> FixtureError {
        FixtureError(position: position, field: "", reason: "\(reason), found \(found)")
    }

    private var found: String {
        guard let next else { return "the end of the file" }
        return next == "\n" ? "the end of the line" : "“\(next)”"
    }

    private mutating func advance() {
        if scalars[index] == "\n" {
            line += 1
            lineStart = index + 1
        }
        index += 1
    }

    private mutating func skipBlank() throws {
        while let scalar = next {
            switch scalar {
            case " ", "\t", "\n", "\r", "\u{FEFF}", "\u{A0}": advance()
            case "/": try skipComment()
            default: return
            }
        }
    }

    private mutating func skipComment() throws {
        let start = position
        advance()
        switch next {
        case "/":
            while let scalar = next, scalar != "\n" { advance() }
        case "*":
            advance()
            while !(next == "*" && index + 1 < scalars.count && scalars[index + 1] == "/") {
                guard next != nil else {
                    throw FixtureError(position: start, field: "", reason: "this comment never ends")
                }
                advance()
            }
            advance()
            advance()
        default:
            throw failure("expected a comment after “/”")
        }
    }

    private mutating func node(depth: Int) throws -> FixtureNode {
        try skipBlank()
        let start = position
        guard depth < Self.depthLimit else {
            throw failure("at most \(Self.depthLimit) levels may be nested")
        }
        let value: FixtureNode.Value =
            switch next {
            case "{": try object(depth: depth)
            case "[": try array(depth: depth)
            case "\"", "'": .string(try string())
            case .some(let scalar) where Self.isWord(scalar) || "+-.".unicodeScalars.contains(scalar):
                try word()
            default: throw failure("expected a value")
            }
        return FixtureNode(value: value, position: start)
    }

    private mutating func object(depth: Int) throws -> FixtureNode.Value {
        advance()
        var members: [FixtureNode.Member] = []
        var keys: Set<String> = []
        while try !closes("}") {
            let keyPosition = position
            let key = try key()
            guard keys.insert(key).inserted else {
                throw FixtureError(position: keyPosition, field: key, reason: "this member appears twice")
            }
            try skipBlank()
            guard next == ":" else { throw failure("expected “:” after “\(key)”") }
            advance()
            members.append(.init(key: key, keyPosition: keyPosition, node: try node(depth: depth + 1)))
            try separator("}")
        }
        return .object(members)
    }

    private mutating func array(depth: Int) throws -> FixtureNode.Value {
        advance()
        var elements: [FixtureNode] = []
        while try !closes("]") {
            var element = try node(depth: depth + 1)
            element.index = elements.count
            elements.append(element)
            try separator("]")
        }
        return .array(elements)
    }

    /// Takes `end` when it comes next.
    private mutating func closes(_ end: Unicode.Scalar) throws -> Bool {
        try skipBlank()
        guard next == end else { return false }
        advance()
        return true
    }

    /// Takes a comma; leaves `end` for the caller.
    private mutating func separator(_ end: Unicode.Scalar) throws {
        try skipBlank()
        if next == "," { return advance() }
        guard next == end else { throw failure("expected “,” or “\(end)”") }
    }

    private mutating func key() throws -> String {
        switch next {
        case "\"", "'": return try string()
        case .some(let scalar) where Self.isWord(scalar):
            return takeWord()
        default: throw failure("expected the name of a member")
        }
    }

    private mutating func word() throws -> FixtureNode.Value {
        let start = position
        let word = takeWord()
        switch word {
        case "true": return .boolean(true)
        case "false": return .boolean(false)
        case "null": return .null
        default:
            guard JSONNumber.isWellFormed(word) else {
                throw FixtureError(
                    position: start, field: "",
                    reason: "expected a value, found “\(word)”; text needs quotes")
            }
            return .number(word)
        }
    }

    private mutating func takeWord() -> String {
        var word = String.UnicodeScalarView()
        while let scalar = next, Self.isWord(scalar) || "+-.".unicodeScalars.contains(scalar) {
            word.append(scalar)
            advance()
        }
        return String(word)
    }

    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        switch scalar {
        case "a"..."z", "A"..."Z", "0"..."9", "_", "$": true
        default: !scalar.isASCII && scalar.properties.isAlphabetic
        }
    }

    private mutating func string() throws -> String {
        let start = position
        let quote = next
        advance()
        var text = String.UnicodeScalarView()
        while let scalar = next, scalar != quote {
            if scalar == "\n" { throw failure("expected the closing quote on this line") }
            if scalar == "\\" {
                try escape(into: &text)
            } else {
                text.append(scalar)
                advance()
            }
        }
        guard next == quote else {
            throw FixtureError(position: start, field: "", reason: "this text never ends")
        }
        advance()
        return String(text)
    }

    private mutating func escape(into text: inout String.UnicodeScalarView) throws {
        advance()
        guard let scalar = next else { throw failure("expected a character after “\\”") }
        if scalar == "u" { return text.append(try unicodeEscape()) }
        guard let plain = Self.escapes[scalar] else {
            throw failure("unknown escape “\\\(scalar)”")
        }
        text.append(plain)
        advance()
    }

    private static let escapes: [Unicode.Scalar: Unicode.Scalar] = [
        "\"": "\"", "'": "'", "\\": "\\", "/": "/", "b": "\u{8}", "f": "\u{C}", "n": "\n", "r": "\r",
        "t": "\t",
    ]

    /// `uXXXX`, or two of them for a character beyond the basic plane.
    private mutating func unicodeEscape() throws -> Unicode.Scalar {
        let first = try hexUnit()
        guard (0xD800..<0xDC00).contains(first) else {
            guard let scalar = Unicode.Scalar(first) else { throw failure("half of a surrogate pair") }
            return scalar
        }
        guard next == "\\" else { throw failure("expected the second half of a surrogate pair") }
        advance()
        guard next == "u" else { throw failure("expected the second half of a surrogate pair") }
        let second = try hexUnit()
        guard (0xDC00..<0xE000).contains(second),
            let scalar = Unicode.Scalar(0x10000 + (first - 0xD800) << 10 + (second - 0xDC00))
        else { throw failure("expected the second half of a surrogate pair") }
        return scalar
    }

    private mutating func hexUnit() throws -> UInt32 {
        advance()
        guard index + 4 <= scalars.count,
            let unit = UInt32(String(String.UnicodeScalarView(scalars[index..<index + 4])), radix: 16)
        else { throw failure("expected four hex digits") }
        for _ in 0..<4 { advance() }
        return unit
    }
}
