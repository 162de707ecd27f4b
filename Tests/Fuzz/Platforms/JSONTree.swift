import Essentials

/// A JSON text as a tree that may say what no dictionary can: a member twice, a number beyond every range.
indirect enum JSONTree: Sendable {
    /// As it is written.
    case literal(String)
    case array([JSONTree])
    case object([(name: String, value: JSONTree)])

    init(_ value: JSONValue) {
        switch value {
        case .array(let elements): self = .array(elements.map(JSONTree.init))
        case .object(let members):
            self = .object(members.sorted { $0.key < $1.key }.map { ($0.key, JSONTree($0.value)) })
        default: self = .literal(value.text)
        }
    }

    var text: String {
        switch self {
        case .literal(let text): text
        case .array(let elements): "[" + elements.map(\.text).joined(separator: ",") + "]"
        case .object(let members):
            "{" + members.map { JSONValue.string($0.name).text + ":" + $0.value.text }.joined(separator: ",")
                + "}"
        }
    }

    /// Values below this one, at any depth.
    var count: Int {
        switch self {
        case .literal: 0
        case .array(let elements): elements.reduce(0) { $0 + 1 + $1.count }
        case .object(let members): members.reduce(0) { $0 + 1 + $1.value.count }
        }
    }

    /// All values below this one.
    var descendants: [JSONTree] {
        switch self {
        case .literal: []
        case .array(let elements): elements.flatMap { [$0] + $0.descendants }
        case .object(let members): members.flatMap { [$0.value] + $0.value.descendants }
        }
    }
}

/// Changes one value of a tree, or its place.
struct JSONTreeMutator: Sendable {
    /// Values of the corpus, to be put where they do not belong.
    let pool: [JSONTree]

    func mutate(_ tree: inout JSONTree, _ random: inout SplitMix64) {
        let count = tree.count
        var place = random.below(count + 1)
        if place == count {
            tree = replaced(tree, &random)
        } else {
            change(&tree, at: &place, &random)
        }
    }

    /// - Parameter place: counts down to the value that is changed; below 0 once it is.
    private func change(_ tree: inout JSONTree, at place: inout Int, _ random: inout SplitMix64) {
        switch tree {
        case .literal: return
        case .array(var elements):
            elements = walk(elements.map { ("", $0) }, at: &place, &random).map(\.value)
            tree = .array(elements)
        case .object(let members): tree = .object(walk(members, at: &place, &random))
        }
    }

    private func walk(
        _ members: [(name: String, value: JSONTree)], at place: inout Int, _ random: inout SplitMix64
    ) -> [(name: String, value: JSONTree)] {
        var result: [(name: String, value: JSONTree)] = []
        for var member in members {
            if place < 0 {
                result.append(member)
            } else if place == 0 {
                place = -1
                result += changed(member, &random)
            } else {
                place -= 1
                change(&member.value, at: &place, &random)
                result.append(member)
            }
        }
        return result
    }

    private func changed(_ member: (name: String, value: JSONTree), _ random: inout SplitMix64)
        -> [(name: String, value: JSONTree)]
    {
        switch random.below(10) {
        case 0: return []
        case 1: return [member, member]
        case 2: return [member, (member.name, replaced(member.value, &random))]
        case 3: return [(member.name + "_", member.value)]
        case 4: return [(member.name, .array([member.value]))]
        case 5: return [(member.name, .object([(member.name, member.value)]))]
        default: return [(member.name, replaced(member.value, &random))]
        }
    }

    private func replaced(_ value: JSONTree, _ random: inout SplitMix64) -> JSONTree {
        if case .literal(let text) = value, random.below(4) == 0 { return .literal(nearly(text, &random)) }
        return random.below(3) == 0 ? random.pick(pool) : .literal(random.pick(Self.oddities))
    }

    /// The same text or number with a small difference.
    private func nearly(_ text: String, _ random: inout SplitMix64) -> String {
        guard text.hasPrefix("\""), text.utf8.count > 2 else { return text + String(random.below(10)) }
        var inside = Array(text.dropFirst().dropLast())
        switch random.below(3) {
        case 0: inside.remove(at: random.below(inside.count))
        case 1:
            inside.insert(random.pick(["0", "A", " ", "é", "-", ".", "/"]), at: random.below(inside.count))
        default: inside += inside
        }
        // An escape that was cut in two would be no JSON: that is the parser's own subject.
        let made = "\"" + String(inside) + "\""
        return inside.contains("\\") ? text : made
    }

    /// Values of every type, at and beyond the ends of its range.
    static let oddities: [String] =
        [
            "null", "true", "false", "0", "-1", "1", "1.5", "-0", "1e400", "-1e-400", "1e15", "253402300800",
            "9223372036854775807", "-9223372036854775808", "9223372036854775808", "18446744073709551616",
            "[]", "{}", "[null]", "[[]]", "[0]", #"{"":0}"#, #"{"a":{"b":[1]}}"#, #""""#, #"" ""#, #""x""#,
            #""0""#, #""-1""#, #""true""#, #""null""#, #""\u0000""#, #""a\u0000b""#, #""\ud800""#, #""🙂""#,
            #""../..""#, #""%00""#, #""a@b""#, #""http://localhost:1/x""#, #""http://[""#, #""AAAA""#,
            #""=""#,
            #""2026-02-30T25:61:61Z""#, #""9999-12-31T23:59:59Z""#,
            #""00000000-0000-0000-0000-000000000000""#,
        ]
        + [
            "\"" + String(repeating: "a", count: 70_000) + "\"",
            "\"" + String(repeating: "é", count: 300) + "\"",
            String(repeating: "[", count: 200) + String(repeating: "]", count: 200),
            String(repeating: #"{"a":"#, count: 200) + "1" + String(repeating: "}", count: 200),
            "[" + String(repeating: "0,", count: 2000) + "0]", String(repeating: "9", count: 400),
        ]
}
