/// A member of a request that breaks a rule, in the sentence that the client reads.
struct Violation: Sendable, Equatable {
    enum Rule: Sendable, Equatable {
        case required, email, uuid, uuid4, url, ip, unique, webhookEvent
        /// Elements of a list.
        case atLeast(Int)
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
        case .uuid: "\(field) must be a valid uuid"
        case .uuid4: "\(field) must be a valid uuid4"
        case .url: "\(field) must be a valid URL"
        case .ip: "\(field) must be a valid ip address (v4 or v6)"
        case .unique: "\(field) entries are not unique"
        case .webhookEvent: "\(value) in \(field) is not a valid webhook event"
        case .atLeast(let count): "length of \(field) must be greater or equal to \(count)"
        }
    }

    var explanation: String {
        switch rule {
        case .required: "Expected a value in “\(field)”, which is missing, null or empty."
        case .email: "Expected an email address in “\(field)”, found “\(value.prefix(100))”."
        case .url: "Expected an http or https URL in “\(field)”, found “\(value.prefix(100))”."
        case .ip: "Expected an IPv4 or IPv6 address in “\(field)”, found “\(value.prefix(60))”."
        case .unique: "Something stands twice in “\(field)”."
        case .webhookEvent:
            "Expected events in “\(field)”, found “\(value.prefix(60))”; there are "
                + WebhookEvent.allCases.map(\.rawValue).joined(separator: ", ") + "."
        case .atLeast(let count): "Expected \(count) in “\(field)” at least."
        case .uuid where UUIDText.isLowercase(value.lowercased()),
            .uuid4 where UUIDText.isVersion4(value.lowercased()):
            "Expected the id in “\(field)” in lower case, found “\(value)”; "
                + "some UUID types write upper case, as Swift's uuidString does."
        case .uuid: "Expected a UUID in “\(field)”, found “\(value.prefix(60))”."
        case .uuid4: "Expected a version 4 UUID in “\(field)”, found “\(value)”."
        }
    }
}
