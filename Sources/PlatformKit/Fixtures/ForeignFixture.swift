import Synchronization

/// A part of a fixture file whose form somebody else decides: members that its shape does not know, at any depth, are passed over and told.
package struct ForeignFixture<Value: Decodable>: Decodable {
    package let value: Value
    /// In the order in which they were met. None where something else than a fixture file is read.
    package let unknown: [UnknownMember]

    package init(from decoder: any Decoder) throws {
        guard let decoder = decoder as? FixtureDecoder else {
            (value, unknown) = (try Value(from: decoder), [])
            return
        }
        let found = UnknownMembers()
        value = try FixtureDecoder.value(
            Value.self, of: decoder.node, at: decoder.codingPath, passing: found)
        let depth = decoder.codingPath.count
        unknown = found.all.map {
            UnknownMember(path: Array($0.path.dropFirst(depth)), question: $0.question)
        }
    }
}

/// A member that a shape does not know.
package struct UnknownMember: Sendable, Equatable {
    package let path: [String]
    /// `; did you mean “x”?`, or nothing.
    package let question: String
}

/// What is met on the way through a file.
final class UnknownMembers: Sendable {
    private let found = Mutex<[UnknownMember]>([])

    var all: [UnknownMember] { found.withLock { $0 } }

    func note(_ path: [String], _ question: String) {
        found.withLock { $0.append(UnknownMember(path: path, question: question)) }
    }
}
