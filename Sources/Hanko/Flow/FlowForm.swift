import Essentials

/// What a client submitted to an action, `input_data`, after the inputs made it uniform.
struct FlowForm: Sendable, Equatable {
    private(set) var members: [String: JSONValue]

    init(_ members: [String: JSONValue]) { self.members = members }

    /// With the blanks and capitals gone that the inputs do not tell apart.
    init(_ members: [String: JSONValue], for inputs: [FlowInput]) {
        self.members = members
        for input in inputs {
            if let value = members[input.name] { self.members[input.name] = input.normalized(value) }
        }
    }

    /// The text of the input; empty when there is none.
    func text(_ name: String) -> String { members[name]?.string ?? "" }

    /// True only for the JSON value `true`.
    func flag(_ name: String) -> Bool { members[name]?.boolean ?? false }

    /// The JSON of the input: itself, or what a text holds.
    func json(_ name: String) throws -> JSONValue? {
        guard let value = members[name] else { return nil }
        guard let text = value.string else { return value }
        return try JSONValue(parsing: Array(text.utf8))
    }

    /// - Throws: `form_data_invalid_error` with every input that breaks a rule.
    func check(by inputs: [FlowInput]) throws {
        var errors: [String: FlowInputRefusal] = [:]
        var sentences: [String] = []
        for input in inputs {
            guard let error = input.fault(of: members[input.name]) else { continue }
            errors[input.name] = error
            sentences.append(
                "Expected \(input.expectation) in “\(input.name)”, found \(Self.shown(members[input.name]))."
            )
        }
        if !errors.isEmpty { throw FlowRefusal.formDataInvalid(errors, sentences.joined(separator: " ")) }
    }

    private static func shown(_ value: JSONValue?) -> String {
        guard let value else { return "nothing" }
        let text = value.text
        return text.utf8.count <= 200 ? text : "\(text.utf8.count) bytes of JSON"
    }
}
