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

    /// The member's text, which may be missing or empty and must else keep `rule`.
    mutating func optional(_ field: String, _ value: String?, _ rule: Violation.Rule) -> String? {
        guard let value, !value.isEmpty else { return nil }
        return required(field, value, rule)
    }

    /// Something that only the caller can find.
    mutating func add(_ violation: Violation) { violations.append(violation) }

    /// - Parameter isWrapped: whether the endpoint puts the sentence into another one.
    /// - Throws: ``HankoRefusal/invalid(_:isWrapped:)`` when a rule was broken.
    func finish(isWrapped: Bool = false) throws {
        if !violations.isEmpty { throw HankoRefusal.invalid(violations, isWrapped: isWrapped) }
    }

    private static func keeps(_ rule: Violation.Rule, _ value: String) -> Bool {
        switch rule {
        case .email: MailAddress.isValid(value)
        case .uuid: UUIDText.isLowercase(value)
        case .uuid4: UUIDText.isVersion4(value)
        case .url: WebhookRules.isURL(value)
        case .ip: IPAddress.isValid(value)
        case .required, .unique, .webhookEvent, .atLeast: true
        }
    }
}
