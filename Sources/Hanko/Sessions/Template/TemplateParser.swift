import PlatformKit

/// Reads the pieces of a template into nodes.
struct TemplateParser {
    /// Levels of branches and parentheses.
    private static let depthLimit = 16

    private var pieces: ArraySlice<TemplateScanner.Piece>
    private let path: [String]

    init(_ pieces: [TemplateScanner.Piece], at path: [String]) {
        (self.pieces, self.path) = (pieces[...], path)
    }

    mutating func nodes() throws -> [GoTemplate.Node] {
        let (nodes, end) = try list(depth: 0)
        if let end { throw FixtureProblem(at: path, "“{{\(end)}}” without “{{if …}}”") }
        return nodes
    }

    /// Nodes up to an `else` or `end`, which is taken and handed out.
    private mutating func list(depth: Int) throws -> ([GoTemplate.Node], end: String?) {
        guard depth <= Self.depthLimit else { throw FixtureProblem(at: path, "too many levels of “if”") }
        var nodes: [GoTemplate.Node] = []
        while let piece = pieces.popFirst() {
            switch piece {
            case .text(let text): nodes.append(.text(text))
            case .action(let action):
                let word = action.prefix { $0.isLetter }
                if word == "end" || word == "else" { return (nodes, action) }
                if action.hasPrefix("/*"), action.hasSuffix("*/") { continue }
                if word == "if" {
                    nodes.append(try branch(String(action.dropFirst(2)), depth: depth))
                } else {
                    nodes.append(.output(try expression(action)))
                }
            }
        }
        return (nodes, nil)
    }

    private mutating func branch(_ condition: String, depth: Int) throws -> GoTemplate.Node {
        let condition = try expression(condition)
        let (then, end) = try list(depth: depth + 1)
        guard let end else { throw FixtureProblem(at: path, "expected “{{end}}” after “{{if …}}”") }
        if end == "end" { return .branch(condition, then: then, otherwise: []) }
        let rest = String(end.dropFirst(4)).trimmed
        if rest.isEmpty {
            let (otherwise, last) = try list(depth: depth + 1)
            guard last == "end" else {
                throw FixtureProblem(at: path, "expected “{{end}}” after “{{else}}”")
            }
            return .branch(condition, then: then, otherwise: otherwise)
        }
        guard rest.hasPrefix("if "), end.hasPrefix("else ") else { throw unknown(end) }
        return .branch(
            condition, then: then, otherwise: [try branch(String(rest.dropFirst(2)), depth: depth + 1)])
    }

    private func expression(_ text: String) throws -> GoTemplate.Expression {
        var tokens = try TemplateToken.tokens(of: text, at: path)[...]
        let value = try pipeline(&tokens, in: text, depth: 0)
        guard tokens.isEmpty else { throw unknown(text) }
        return value
    }

    /// `a b | c`: each command gets the value before it as its last argument.
    private func pipeline(
        _ tokens: inout ArraySlice<TemplateToken>, in text: String, depth: Int
    ) throws -> GoTemplate.Expression {
        guard depth <= Self.depthLimit else { throw FixtureProblem(at: path, "too many parentheses") }
        var value: GoTemplate.Expression?
        repeat {
            var operands: [Operand] = []
            while let token = tokens.first, token != .pipe, token != .close {
                tokens.removeFirst()
                switch token {
                case .open:
                    operands.append(.value(try pipeline(&tokens, in: text, depth: depth + 1)))
                    guard tokens.popFirst() == .close else { throw unknown(text) }
                case .text(let text): operands.append(.value(.text(text)))
                case .word(let word): operands.append(try operand(word, in: text))
                case .pipe, .close: break
                }
            }
            if let value { operands.append(.value(value)) }
            value = try command(operands, in: text)
        } while tokens.first == .pipe && tokens.popFirst() != nil
        guard let value else { throw unknown(text) }
        return value
    }

    private enum Operand {
        case value(GoTemplate.Expression)
        case function(GoTemplate.Function)
        case metadata(Metadata.Kind)
    }

    private func operand(_ word: String, in text: String) throws -> Operand {
        if let function = GoTemplate.Function(rawValue: word) { return .function(function) }
        if let kind = Metadata.Kind(rawValue: word) { return .metadata(kind) }
        if let field = UserField(rawValue: word) { return .value(.field(field)) }
        if word == "true" || word == "false" { return .value(.flag(word == "true")) }
        if let number = Int(word) { return .value(.number(number)) }
        throw unknown(text)
    }

    private func command(_ operands: [Operand], in text: String) throws -> GoTemplate.Expression {
        guard let first = operands.first else { throw unknown(text) }
        let arguments = try operands.dropFirst().map { operand in
            switch operand {
            case .value(let value): value
            case .metadata(let kind): GoTemplate.Expression.metadata(kind, MetadataPath())
            case .function: throw unknown(text)
            }
        }
        switch first {
        case .value(let value):
            guard arguments.isEmpty else { throw unknown(text) }
            return value
        case .metadata(let kind):
            let names = arguments.compactMap { if case .text(let name) = $0 { name } else { nil } }
            guard names.count == arguments.count else { throw unknown(text) }
            return .metadata(kind, try MetadataPath(names.joined(separator: "."), at: path))
        case .function(let function):
            try check(function, arguments, in: text)
            return .call(function, arguments)
        }
    }

    private func check(
        _ function: GoTemplate.Function, _ arguments: [GoTemplate.Expression], in text: String
    ) throws {
        let isRight =
            switch function {
            case .and, .or: arguments.count >= 1
            case .not: arguments.count == 1
            case .eq: arguments.count >= 2
            case .ne: arguments.count == 2
            case .printf: TemplateFormat(arguments)?.verbs == arguments.count - 1
            }
        if !isRight { throw unknown(text) }
    }

    private func unknown(_ action: String) -> FixtureProblem {
        FixtureProblem(
            at: path,
            "“{{\(action)}}” is not emulated; expected "
                + UserField.allCases.map(\.rawValue).joined(separator: ", ")
                + ", .User.Metadata.Public “path”, .User.Metadata.Unsafe “path”, if, else, end, and, or, not, eq, ne, or "
                + "printf with %s and %v")
    }
}

/// The first argument of `printf`: texts between the verbs `%s` and `%v`.
struct TemplateFormat {
    let texts: [String]
    var verbs: Int { texts.count - 1 }

    /// Nil for another first argument than a text, and for other verbs.
    init?(_ arguments: [GoTemplate.Expression]) {
        guard case .text(let format)? = arguments.first else { return nil }
        var (texts, rest) = ([""], format[...])
        while let character = rest.popFirst() {
            guard character == "%" else {
                texts[texts.count - 1].append(character)
                continue
            }
            switch rest.popFirst() {
            case "s", "v": texts.append("")
            case "%": texts[texts.count - 1].append("%")
            default: return nil
            }
        }
        self.texts = texts
    }
}

/// What an action consists of.
enum TemplateToken: Equatable {
    case word(String), text(String), pipe, open, close

    static func tokens(of action: String, at path: [String]) throws -> [TemplateToken] {
        var (tokens, rest): ([TemplateToken], Substring) = ([], action[...])
        while let character = rest.first {
            rest.removeFirst()
            switch character {
            case "|": tokens.append(.pipe)
            case "(": tokens.append(.open)
            case ")": tokens.append(.close)
            case "`":
                tokens.append(.text(String(rest.prefix { $0 != "`" })))
                rest = rest.drop { $0 != "`" }.dropFirst()
            case "\"": tokens.append(.text(try quoted(&rest, at: path)))
            case _ where character.isWhitespace: continue
            default:
                let word = rest.prefix { !$0.isWhitespace && !"|()\"`".contains($0) }
                tokens.append(.word(String(character) + word))
                rest = rest.dropFirst(word.count)
            }
        }
        return tokens
    }

    private static func quoted(_ rest: inout Substring, at path: [String]) throws -> String {
        var text = ""
        while let character = rest.popFirst(), character != "\"" {
            guard character == "\\" else {
                text.append(character)
                continue
            }
            switch rest.popFirst() {
            case "n": text.append("\n")
            case "t": text.append("\t")
            case let escaped? where "\\\"".contains(escaped): text.append(escaped)
            default: throw FixtureProblem(at: path, "expected \\\\, \\\", \\n or \\t after a backslash")
            }
        }
        return text
    }
}
