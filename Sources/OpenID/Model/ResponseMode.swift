/// How an authorization response travels. Source: OAuth 2.0 Multiple Response Type Encoding Practices §2.1; Form Post Response
/// Mode.
enum ResponseMode: String, Sendable, CaseIterable {
    case query, fragment
    case formPost = "form_post"
}
