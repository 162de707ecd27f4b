import Essentials

/// A member of a request that is not what it has to be.
struct InputViolation: Sendable, Equatable {
    let field: String
    /// What came; nil when nothing did.
    let value: JSONValue?
    /// What was expected, for the middle of a sentence.
    let hint: String

    var json: JSONValue {
        var object: [String: JSONValue] = ["fieldName": .string(field), "hint": .string(hint)]
        if let value { object["invalidValue"] = .string(value.string ?? value.text) }
        return .object(object)
    }

    var sentence: String {
        "\(field): expected \(hint), found \(value.map { String($0.text.prefix(80)) } ?? "nothing")"
    }
}
