import Essentials
import PlatformKit

/// A path into metadata: names and positions, `#` for the number or for each of a list, `#(age>40)` for the first that fits and
/// `#(age>40)#` for all of them.
///
/// Source: gjson, “Path Syntax”; its wildcards, modifiers, pipes and patterns are not emulated.
struct MetadataPath: Sendable, Equatable {
    fileprivate indirect enum Step: Sendable, Equatable {
        case name(String)
        case each
        case matching(Query, isFirst: Bool)
    }

    fileprivate struct Query: Sendable, Equatable {
        let path: MetadataPath
        /// Nil to ask whether there is something at the path.
        let comparison: Comparison?
    }

    fileprivate struct Comparison: Sendable, Equatable {
        let sign: String
        let value: JSONValue
    }

    /// Bytes of a path, which also bounds how deep queries stand in each other.
    private static let lengthLimit = 512

    private var steps: [Step] = []

    /// The whole.
    init() {}

    /// - Throws: `FixtureProblem` for what is not emulated.
    init(_ text: String, at path: [String]) throws {
        if text.isEmpty || text == "@this" { return }
        steps = try Self.parts(of: text, at: path).map { try Self.step($0, at: path) }
    }

    /// Nil when there is nothing at the path.
    func value(in metadata: JSONValue) -> JSONValue? { Self.value(steps[...], in: metadata) }

    private static func value(_ steps: ArraySlice<Step>, in value: JSONValue) -> JSONValue? {
        guard let step = steps.first else { return value }
        let rest = steps.dropFirst()
        switch step {
        case .name(let name):
            let inner = value[name] ?? Int(name).flatMap { value.array?[checked: $0] }
            return inner.flatMap { Self.value(rest, in: $0) }
        case .each:
            guard let elements = value.array else { return nil }
            return rest.isEmpty ? .integer(elements.count) : each(elements, rest)
        case .matching(let query, isFirst: true):
            return value.array?.first(where: query.fits).flatMap { Self.value(rest, in: $0) }
        case .matching(let query, isFirst: false):
            return value.array.map { each($0.filter(query.fits), rest) }
        }
    }

    private static func each(_ elements: [JSONValue], _ rest: ArraySlice<Step>) -> JSONValue {
        .array(elements.compactMap { Self.value(rest, in: $0) })
    }
}

extension MetadataPath {
    /// What the dots part; those in queries and behind a backslash part nothing.
    private static func parts(of text: String, at path: [String]) throws -> [String] {
        guard text.utf8.count <= lengthLimit else {
            throw FixtureProblem(at: path, "expected a path of at most \(lengthLimit) bytes")
        }
        var (parts, depth, isQuoted, rest) = ([""], 0, false, text[...])
        while let character = rest.popFirst() {
            if character == "\\", let escaped = rest.popFirst() {
                parts[parts.count - 1] += depth > 0 ? "\\\(escaped)" : String(escaped)
                continue
            }
            if character == "\"", depth > 0 { isQuoted.toggle() }
            if !isQuoted { depth += character == "(" ? 1 : character == ")" ? -1 : 0 }
            if character == ".", depth == 0 {
                parts.append("")
            } else {
                parts[parts.count - 1].append(character)
            }
        }
        guard depth == 0, !isQuoted, !parts.contains(""), parts.count <= 32 else {
            throw problem("expected a path such as “roles.0” or “games.#(hours>100).name”", text, path)
        }
        return parts
    }

    private static func step(_ part: String, at path: [String]) throws -> Step {
        if part == "#" { return .each }
        if part.hasPrefix("#(") {
            let isFirst = !part.hasSuffix("#")
            let inner = part.dropFirst(2).dropLast(isFirst ? 1 : 2)
            guard part.hasSuffix(isFirst ? ")" : ")#") else {
                throw problem("expected #(…) or #(…)#", part, path)
            }
            return .matching(try Query(String(inner), at: path), isFirst: isFirst)
        }
        guard !part.contains(where: { "*?|#@!{}[]<>%".contains($0) }) else {
            throw problem("wildcards, modifiers and pipes of gjson are not emulated", part, path)
        }
        return .name(part)
    }

    fileprivate static func problem(_ reason: String, _ text: String, _ path: [String]) -> FixtureProblem {
        FixtureProblem(at: path, "\(reason), found “\(text)” as path of metadata")
    }
}

extension MetadataPath.Query {
    fileprivate init(_ text: String, at path: [String]) throws {
        guard let match = text.firstMatch(of: /(==|=|!=|<=|<|>=|>|!%|%)/) else {
            self.init(path: try MetadataPath(text.trimmed, at: path), comparison: nil)
            return
        }
        let sign = String(match.output.1)
        let value = String(text[match.range.upperBound...]).trimmed
        guard !sign.hasSuffix("%"), let value = try? JSONValue(parsing: Array(value.utf8)),
            value.array == nil, value.object == nil
        else {
            throw MetadataPath.problem("expected a comparison such as age>40 or name==\"Ada\"", text, path)
        }
        self.init(
            path: try MetadataPath(String(text[..<match.range.lowerBound]).trimmed, at: path),
            comparison: .init(sign: sign == "=" ? "==" : sign, value: value))
    }

    fileprivate func fits(_ element: JSONValue) -> Bool {
        guard let found = path.value(in: element) else { return false }
        return comparison.map { $0.holds(found) } ?? true
    }
}

extension MetadataPath.Comparison {
    fileprivate func holds(_ found: JSONValue) -> Bool {
        if let number = found.double, let other = value.double { return holds(number, other) }
        if let text = found.string, let other = value.string { return holds(text, other) }
        return sign == "==" ? found == value : sign == "!=" && found != value
    }

    private func holds<Value: Comparable>(_ one: Value, _ other: Value) -> Bool {
        switch sign {
        case "==": one == other
        case "!=": one != other
        case "<": one < other
        case "<=": one <= other
        case ">": one > other
        default: one >= other
        }
    }
}

extension JSONValue {
    fileprivate var double: Double? {
        switch self {
        case .integer(let number): Double(number)
        case .number(let number): number
        default: nil
        }
    }
}

extension Array {
    fileprivate subscript(checked index: Int) -> Element? { indices.contains(index) ? self[index] : nil }
}
