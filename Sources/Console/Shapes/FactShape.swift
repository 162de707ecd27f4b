import PlatformKit

/// A line of what is known, as the API gives it.
struct FactShape: Encodable {
    let name: String
    let value: String

    init(_ fact: ConsoleRecord.Fact) { (name, value) = (fact.name, fact.value) }
}
