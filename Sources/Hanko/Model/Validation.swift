/// A member of a request that breaks a rule, in the sentence that the client reads.
struct Violation: Sendable, Equatable {
    enum Rule: Sendable, Equatable {
        case required, email, uuid4
    }

    /// JSON name of the member.
    let field: String
    let rule: Rule
    /// What came.
    let value: String

    /// Source: Hanko 2.7, one sentence for each rule.
    var message: String {
        switch rule {
        case .required: "\(field) is a required field"
        case .email: "\(field) must be a valid email address"
        case .uuid4: "\(field) must be a valid uuid4"
        }
    }

    var explanation: String {
        switch rule {
        case .required: "Expected a text in \"\(field)\", which is missing, null or empty."
        case .email: "Expected a mail address in \"\(field)\", found \"\(value)\"."
        case .uuid4 where UUIDText.isVersion4(value.lowercased()):
            "Expected the id in \"\(field)\" in lower case, found \"\(value)\"; "
                + "some UUID types write upper case, as Swift's uuidString does."
        case .uuid4: "Expected a version 4 UUID in \"\(field)\", found \"\(value)\"."
        }
    }
}

/// Checks the members of a request one after another and reports all that is wrong at once.
struct Validation {
    private(set) var violations: [Violation] = []

    /// The member's text, which must not be empty and must keep `rule`.
    mutating func required(_ field: String, _ value: String?, _ rule: Violation.Rule? = nil) -> String {
        guard let value, !value.isEmpty else {
            violations.append(Violation(field: field, rule: .required, value: ""))
            return ""
        }
        if let rule, !Self.keeps(rule, value) {
            violations.append(Violation(field: field, rule: rule, value: value))
        }
        return value
    }

    /// - Throws: ``HankoError/invalid(_:isWrapped:)`` when a rule was broken.
    func finish() throws {
        if !violations.isEmpty { throw HankoError.invalid(violations, isWrapped: false) }
    }

    private static func keeps(_ rule: Violation.Rule, _ value: String) -> Bool {
        switch rule {
        case .required: true
        case .email: MailAddress.isValid(value)
        case .uuid4: UUIDText.isVersion4(value)
        }
    }
}
