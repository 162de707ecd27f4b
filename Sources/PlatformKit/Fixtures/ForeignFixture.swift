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
