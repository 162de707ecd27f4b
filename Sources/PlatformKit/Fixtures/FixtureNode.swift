/// A piece of a fixture file that knows where it stands.
package struct FixtureNode: Sendable {
    package indirect enum Value: Sendable {
        case object([Member])
        case array([FixtureNode])
        case string(String)
        /// As written: digits, sign, fraction, exponent.
        case number(String)
        case boolean(Bool)
        case null
        /// What a check left out of a list to go on behind it; nobody reads it.
        case absent
    }

    package struct Member: Sendable {
        let key: String
        let keyPosition: Position
        var node: FixtureNode
    }

    /// Counted from 1; a column is a Unicode scalar.
    package struct Position: Sendable, Equatable {
        let file: String
        let line: Int
        let column: Int
    }

    var value: Value
    let position: Position
    /// Which entry of its list it is in its own file; nil for what stands in no list.
    var index: Int?

    /// What stands here, for a message: `"red"`, `42`, `an object`.
    var shown: String {
        switch value {
        case .object: "an object"
        case .array: "an array"
        case .string(let text): "“" + text.prefix(40) + (text.count > 40 ? "…”" : "”")
        case .number(let text): text
        case .boolean(let flag): String(flag)
        case .null, .absent: "null"
        }
    }

    /// A text that stands here.
    var text: String? { if case .string(let text) = value { text } else { nil } }

    func member(_ key: String) -> FixtureNode? {
        guard case .object(let members) = value else { return nil }
        return members.first { $0.key == key }?.node
    }

    /// `path` as it reads in the file that has the last of it: several files laid over one another have common lists.
    func asWritten(_ path: [String]) -> [String] {
        var (node, steps): (FixtureNode?, [String]) = (self, [])
        for step in path {
            guard case .array(let elements)? = node?.value, let index = Int(step),
                elements.indices.contains(index)
            else {
                steps.append(step)
                node = node?.member(step)
                continue
            }
            steps.append(String(elements[index].index ?? index))
            node = elements[index]
        }
        return steps
    }

    /// The node at `path`, or the nearest one above it that exists.
    func nearest(to path: some Collection<String>) -> FixtureNode {
        guard let step = path.first else { return self }
        let next: FixtureNode? =
            switch value {
            case .array(let elements):
                Int(step).flatMap { elements.present.indices.contains($0) ? elements.present[$0].node : nil }
            default: member(step)
            }
        return next?.nearest(to: path.dropFirst()) ?? self
    }

    /// This node with `later` laid over it: objects member by member, lists entry by entry where all entries have a name,
    /// such as an `id`; anything else is replaced.
    func merged(with later: FixtureNode) -> FixtureNode {
        switch (value, later.value) {
        case (.object(let mine), .object(let theirs)):
            var members = mine
            for member in theirs {
                if let index = members.firstIndex(where: { $0.key == member.key }) {
                    members[index].node = members[index].node.merged(with: member.node)
                } else {
                    members.append(member)
                }
            }
            return FixtureNode(value: .object(members), position: later.position)
        case (.array(let mine), .array(let theirs)) where (mine + theirs).allSatisfy({ $0.identity != nil }):
            var elements = mine
            for element in theirs {
                if let index = elements.firstIndex(where: { $0.identity == element.identity }) {
                    elements[index] = element
                } else {
                    elements.append(element)
                }
            }
            return FixtureNode(value: .array(elements), position: later.position)
        default:
            return later
        }
    }

    /// The members by which entries are told apart, the best first.
    private static let names = ["id", "kid", "digest", "jti", "client_id", "sub", "name"]

    var identity: String? {
        guard let name = Self.names.lazy.compactMap(member).first, case .string(let id) = name.value else {
            return nil
        }
        return id
    }
}

extension [FixtureNode] {
    /// What a check did not leave out, each with its place in the file.
    var present: [(index: Int, node: FixtureNode)] {
        enumerated().filter { if case .absent = $0.element.value { false } else { true } }
            .map { (index: $0.offset, node: $0.element) }
    }
}
