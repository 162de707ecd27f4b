/// What an authorization request wants back. Source: OAuth 2.0 Multiple Response Type Encoding Practices §3.
enum ResponseType: String, Sendable, CaseIterable {
    case code
    case token
    case idToken = "id_token"
    case idTokenAndToken = "id_token token"

    /// - Parameter text: words in any order; nil for a combination that this server does not know, the hybrid ones among them.
    init?(_ text: String) {
        self.init(rawValue: ScopeList(text).names.sorted().joined(separator: " "))
    }

    var hasCode: Bool { self == .code }
    var hasToken: Bool { self == .token || self == .idTokenAndToken }
    var hasIDToken: Bool { self == .idToken || self == .idTokenAndToken }
    var defaultMode: ResponseMode { hasCode ? .query : .fragment }
    var grantType: String { hasCode ? GrantType.authorizationCode : GrantType.implicit }

    /// Whether a client that is registered for `types` may ask for this one; order of the words does not matter there either.
    func isAmong(_ types: [String]) -> Bool { types.contains { ResponseType($0) == self } }
}

/// How an authorization response travels. Source: OAuth 2.0 Multiple Response Type Encoding Practices §2.1; Form Post Response
/// Mode.
enum ResponseMode: String, Sendable, CaseIterable {
    case query, fragment
    case formPost = "form_post"
}
