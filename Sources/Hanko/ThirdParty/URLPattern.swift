import PlatformKit

/// A pattern for URLs: `*` stands for anything without a dot or slash, `**` for anything, `?` for one character that is neither dot nor
/// slash, `[a-z]` and `[!a-z]` for one of a class, `{one,two}` for either; a backslash takes the meaning away.
///
/// Source: Hanko's configuration, `allowed_redirect_urls`, whose separators are `.` and `/`; the syntax is that of gobwas/glob.
struct URLPattern: Decodable, Sendable, Equatable {
    /// Alternatives that braces may make.
    static let limit = 64

    let text: String
    /// One of these has to match.
    private let alternatives: [[Part]]

    /// - Throws: `FixtureProblem` for brackets and braces that do not close, and for too many alternatives.
    init(_ text: String) throws {
        self.text = text.hasSuffix("/") ? String(text.dropLast()) : text
        guard text.utf8.count <= ThirdPartyState.redirectLimit else {
            throw FixtureProblem(at: [], "expected at most \(ThirdPartyState.redirectLimit) bytes")
        }
        alternatives = try Self.expanded(Array(self.text.utf8)).map(Self.parts)
    }

    init(from decoder: any Decoder) throws {
        try self.init(decoder.singleValueContainer().decode(String.self))
    }

    func matches(_ url: String) -> Bool { alternatives.contains { Self.matches(url, $0) } }

    /// Whether the address has user information before its host, as in `http://localhost:3000@evil.test/`. Source: RFC 3986 §3.2.1; where
    /// browsers read leniently, as they do: WHATWG URL, “URL parsing”.
    static func namesUser(_ url: String) -> Bool {
        let rest = url.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst()
        return rest.drop(while: slashes.contains).prefix { !ends.contains($0) }.contains(UInt8(ascii: "@"))
    }

    private static let slashes = Set("/\\".utf8)
    private static let ends = Set("/\\?#".utf8)

    private static func matches(_ url: String, _ parts: [Part]) -> Bool {
        // Which ends of the pattern's beginning can the URL's beginning reach? One pass over the URL, whatever the pattern.
        var places = closure(of: [0], parts)
        for byte in url.utf8 {
            var next: Set<Int> = []
            for place in places where place < parts.count && parts[place].takes(byte) {
                next.insert(parts[place].repeats ? place : place + 1)
            }
            places = closure(of: next, parts)
            if places.isEmpty { return false }
        }
        return places.contains(parts.count)
    }

    /// The places, and those behind stars that stand for nothing.
    private static func closure(of places: Set<Int>, _ parts: [Part]) -> Set<Int> {
        var all = places
        for var place in places {
            while place < parts.count, parts[place].repeats {
                place += 1
                all.insert(place)
            }
        }
        return all
    }
}

extension URLPattern {
    private enum Part: Sendable, Equatable {
        case byte(UInt8), one, segment, anything
        case oneOf([ClosedRange<UInt8>], isNegated: Bool)

        var repeats: Bool { self == .segment || self == .anything }

        func takes(_ byte: UInt8) -> Bool {
            switch self {
            case .byte(let expected): byte == expected
            case .one, .segment: byte != UInt8(ascii: ".") && byte != UInt8(ascii: "/")
            case .anything: true
            case .oneOf(let ranges, let isNegated): ranges.contains { $0 ~= byte } != isNegated
            }
        }
    }

    private static func parts(of text: [UInt8]) throws -> [Part] {
        var (parts, rest): ([Part], ArraySlice<UInt8>) = ([], text[...])
        while let byte = rest.popFirst() {
            switch byte {
            case UInt8(ascii: "*") where parts.last?.repeats == true: parts[parts.count - 1] = .anything
            case UInt8(ascii: "*"): parts.append(.segment)
            case UInt8(ascii: "?"): parts.append(.one)
            case UInt8(ascii: "["): parts.append(try oneOf(&rest))
            case UInt8(ascii: "\\"): parts.append(.byte(rest.popFirst() ?? byte))
            default: parts.append(.byte(byte))
            }
        }
        return parts
    }

    /// What stands between brackets: `a-z`, `!abc`.
    private static func oneOf(_ rest: inout ArraySlice<UInt8>) throws -> Part {
        guard let end = rest.firstIndex(of: UInt8(ascii: "]")), end > rest.startIndex else {
            throw FixtureProblem(at: [], "expected characters and “]” after “[”")
        }
        var inside = rest[..<end]
        rest = rest[(end + 1)...]
        let isNegated = inside.first == UInt8(ascii: "!")
        if isNegated { inside.removeFirst() }
        var ranges: [ClosedRange<UInt8>] = []
        while let low = inside.popFirst() {
            guard inside.first == UInt8(ascii: "-"), let high = inside.dropFirst().first else {
                ranges.append(low...low)
                continue
            }
            guard low <= high else { throw FixtureProblem(at: [], "expected a range that goes upwards") }
            inside = inside.dropFirst(2)
            ranges.append(low...high)
        }
        return .oneOf(ranges, isNegated: isNegated)
    }

    /// The pattern without braces, once for each choice.
    private static func expanded(_ text: [UInt8]) throws -> [[UInt8]] {
        guard let start = firstBrace(text) else { return [text] }
        guard let end = text[start...].firstIndex(of: UInt8(ascii: "}")) else {
            throw FixtureProblem(at: [], "expected “}” after “{”")
        }
        let choices = text[(start + 1)..<end].split(
            separator: UInt8(ascii: ","), omittingEmptySubsequences: false)
        if choices.contains(where: { $0.contains(UInt8(ascii: "{")) }) {
            throw FixtureProblem(at: [], "braces within braces are not emulated")
        }
        let tails = try expanded(Array(text[(end + 1)...]))
        guard choices.count * tails.count <= limit else {
            throw FixtureProblem(at: [], "expected at most \(limit) alternatives in braces")
        }
        return choices.flatMap { choice in tails.map { text[..<start] + choice + $0 } }
    }

    private static func firstBrace(_ text: [UInt8]) -> Int? {
        text.indices.first { place in
            text[place] == UInt8(ascii: "{")
                && (place == 0 || text[place - 1] != UInt8(ascii: "\\"))
        }
    }
}
