import PlatformKit

/// A text with actions between `{{` and `}}`, of Go's package text/template as far as claims need it: fields of `.User`, `if` with `else
/// if` and `else`, the functions `and`, `or`, `not`, `eq`, `ne` and `printf`, pipelines, comments, and the marks that trim white space.
///
/// Source: Go, package text/template.
struct GoTemplate: Sendable, Equatable {
    indirect enum Node: Sendable, Equatable {
        case text(String)
        case output(Expression)
        case branch(Expression, then: [Node], otherwise: [Node])
    }

    indirect enum Expression: Sendable, Equatable {
        case text(String)
        case number(Int)
        case flag(Bool)
        case field(UserField)
        /// A text at a path of the user's metadata; the whole where there is no path.
        case metadata(Metadata.Kind, MetadataPath)
        case call(Function, [Expression])
    }

    enum Function: String, Sendable { case and, or, not, eq, ne, printf }

    let nodes: [Node]

    /// - Throws: `FixtureProblem` for what is not emulated.
    init(_ text: String, at path: [String]) throws {
        var parser = TemplateParser(try TemplateScanner.pieces(of: text, at: path), at: path)
        nodes = try parser.nodes()
    }
}

/// What a template can ask of the user.
enum UserField: String, Sendable, CaseIterable {
    case user = ".User"
    case id = ".User.UserID"
    case username = ".User.Username"
    case name = ".User.Name"
    case givenName = ".User.GivenName"
    case familyName = ".User.FamilyName"
    case picture = ".User.Picture"
    case email = ".User.Email"
    case address = ".User.Email.Address"
    case isPrimary = ".User.Email.IsPrimary"
    case isVerified = ".User.Email.IsVerified"
    case metadata = ".User.Metadata"
}

extension Metadata {
    /// The kinds that tokens may show.
    enum Kind: String, Sendable, CaseIterable {
        case `public` = ".User.Metadata.Public"
        case unsafe = ".User.Metadata.Unsafe"
    }
}

/// Takes a template apart: texts, and what stands between the braces.
enum TemplateScanner {
    enum Piece: Equatable {
        case text(String)
        case action(String)
    }

    static func pieces(of text: String, at path: [String]) throws -> [Piece] {
        var (pieces, rest, trimsNext): ([Piece], Substring, Bool) = ([], text[...], false)
        func add(_ literal: Substring, trimmingEnd: Bool) {
            var literal = trimsNext ? literal.drop(while: isSpace) : literal
            while trimmingEnd, let last = literal.last, isSpace(last) { literal.removeLast() }
            if !literal.isEmpty { pieces.append(.text(String(literal))) }
        }
        while let start = rest.firstRange(of: "{{") {
            guard let end = end(of: rest[start.upperBound...]) else {
                throw FixtureProblem(at: path, "expected “}}” after “{{” in “\(text)”")
            }
            var action = rest[start.upperBound..<end]
            // A mark counts with white space at its inner side.
            let trims = action.first == "-" && action.dropFirst().first.map(isSpace) == true
            add(rest[..<start.lowerBound], trimmingEnd: trims)
            if trims { action.removeFirst() }
            trimsNext = action.last == "-" && action.dropLast().last.map(isSpace) == true
            if trimsNext { action.removeLast() }
            pieces.append(.action(String(action).trimmed))
            rest = rest[rest.index(end, offsetBy: 2)...]
        }
        add(rest, trimmingEnd: false)
        return pieces
    }

    /// Where the braces close, which may also stand in a text in quotes.
    private static func end(of text: Substring) -> Substring.Index? {
        var (index, quote): (Substring.Index, Character?) = (text.startIndex, nil)
        while index < text.endIndex {
            let character = text[index]
            if let open = quote {
                if character == "\\", open == "\"" {
                    index = text.index(index, offsetBy: 1, limitedBy: text.endIndex) ?? index
                    guard index < text.endIndex else { return nil }
                } else if character == open {
                    quote = nil
                }
            } else if character == "\"" || character == "`" {
                quote = character
            } else if text[index...].hasPrefix("}}") {
                return index
            }
            index = text.index(after: index)
        }
        return nil
    }

    private static func isSpace(_ character: Character) -> Bool { spaces.contains(character) }

    /// CR and LF together are one character.
    private static let spaces: Set<Character> = [" ", "\t", "\n", "\r", "\r\n"]
}
