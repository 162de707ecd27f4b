import PlatformKit

/// A line of what is known, as the API gives it.
struct FactShape: Encodable {
    let name: String
    let value: String

    init(_ fact: Record.Fact) { (name, value) = (fact.name, fact.value) }
}
