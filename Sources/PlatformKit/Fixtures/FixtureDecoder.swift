import Essentials
import HTTP
import Synchronization

/// Decodes a piece of a fixture file, strictly: a member that the shape does not know is an error, and every error says
/// where it stands and what was expected.
struct FixtureDecoder {
    let node: FixtureNode
    let codingPath: [any CodingKey]
    /// Takes the members that no shape knows, where they are no mistake.
    let unknown: UnknownMembers?
    /// The members that the shape asked for; the others are unknown to it.
    private let asked = AskedKeys()

    /// - Parameter path: where `node` stands in the file.
    static func decode<Value: Decodable>(_: Value.Type, from node: FixtureNode, at path: [String]) throws
        -> Value
    {
        try value(Value.self, of: node, at: path.map { AnyKey($0) })
    }

    static func value<Value: Decodable>(
        _: Value.Type, of node: FixtureNode, at path: [any CodingKey], passing unknown: UnknownMembers? = nil
    ) throws -> Value {
        if Value.self == Date.self, let date = try date(node, path) as? Value { return date }
        let decoder = FixtureDecoder(node: node, codingPath: path, unknown: unknown)
        do {
            let value = try Value(from: decoder)
            try decoder.refuseUnknown()
            return value
        } catch let error as DecodingError {
            let choices = (Value.self as? any CaseIterable.Type).map { texts(of: $0) } ?? []
            guard choices.isEmpty else {
                let near = node.text.flatMap { Suggestion.nearest(to: $0, among: choices) }
                throw mismatch("one of " + choices.sorted().joined(separator: ", "), node, path, near)
            }
            // What a shape says of a value itself stands beside its place already.
            if case .dataCorrupted(let context) = error {
                throw FixtureError(at: node, path: path.steps, reason: context.debugDescription)
            }
            throw FixtureError(at: node, path: path.steps, reason: error.sentence)
        } catch let problem as FixtureProblem {
            // Its path leads on from the value that found it.
            throw FixtureError(
                at: node.nearest(to: problem.path), path: path.steps + node.written(problem.path),
                reason: problem.reason)
        }
    }

    private static func texts<Choice: CaseIterable>(of _: Choice.Type) -> [String] {
        Choice.allCases.compactMap { ($0 as? any RawRepresentable)?.rawValue as? String }
    }

    private init(node: FixtureNode, codingPath: [any CodingKey], unknown: UnknownMembers?) {
        (self.node, self.codingPath, self.unknown) = (node, codingPath, unknown)
    }

    func note(_ key: String) { asked.insert(key) }

    func hasAsked(_ key: String) -> Bool { asked.contains(key) }

    func mismatch(_ expected: String) -> FixtureError {
        Self.mismatch(expected, node, codingPath)
    }

    /// - Parameter near: what was perhaps meant.
    static func mismatch(
        _ expected: String, _ node: FixtureNode, _ path: [any CodingKey], _ near: String? = nil
    ) -> FixtureError {
        FixtureError(
            at: node, path: path.steps, meant: near.map { .text($0) },
            reason: "expected \(expected), found \(node.shown)"
                + (near.map { "; did you mean “\($0)”?" } ?? ""))
    }

    private func refuseUnknown() throws {
        guard case .object(let members) = node.value, asked.isUsed else { return }
        let strange = members.filter { !asked.contains($0.key) && !$0.key.hasPrefix("$") }
        guard let first = strange.first else { return }
        let known = asked.names.sorted()
        if let unknown {
            for member in strange {
                unknown.note(codingPath.steps + [member.key]) {
                    Suggestion.question(member.key, among: known)
                }
            }
            return
        }
        let path = codingPath.steps + [first.key]
        let near = Suggestion.nearest(to: first.key, among: known).flatMap { near in
            members.contains { $0.key == near } ? nil : near
        }
        throw FixtureError(
            position: first.keyPosition, field: FixtureError.field(path), path: path,
            meant: near.map { .name($0) },
            reason: "unknown member\(Suggestion.question(first.key, among: known)); known here: "
                + known.joined(separator: ", "))
    }

    private static func date(_ node: FixtureNode, _ path: [any CodingKey]) throws -> Date {
        guard case .string(let text) = node.value, let date = Timestamp.parse(text) else {
            throw mismatch("a time such as “2026-01-02T03:04:05Z”", node, path)
        }
        guard Date.writable.contains(date) else { throw mismatch("a time from 1970 to 9999", node, path) }
        return date
    }
}

/// Shared by all copies of one decoder.
private final class AskedKeys: Sendable {
    private let keys = Mutex<Set<String>>([])

    var isUsed: Bool { keys.withLock { !$0.isEmpty } }
    var names: Set<String> { keys.withLock { $0 } }
    func insert(_ key: String) { keys.withLock { _ = $0.insert(key) } }
    func contains(_ key: String) -> Bool { keys.withLock { $0.contains(key) } }
}

struct AnyKey: CodingKey {
    let stringValue: String
    let intValue: Int?

    init(_ stringValue: String) {
        self.stringValue = stringValue
        intValue = Int(stringValue)
    }

    init?(stringValue: String) { self.init(stringValue) }
    init?(intValue: Int) { self.init(String(intValue)) }
}

extension [any CodingKey] {
    var steps: [String] { map(\.stringValue) }
}
