import HTTP

/// Why somebody may not introspect at all. Source: RFC 7662 §2.1, §2.3.
struct IntrospectionRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String

    static func publicClient(_ id: String) -> Self {
        Self(
            wire: OAuthWire(
                .unauthorized, "invalid_client", "Introspection needs a client with credentials",
                headers: [("WWW-Authenticate", "Basic")]),
            explanation:
                "The client “\(id)” has no credentials, so that anybody could be it; introspection is for callers that prove "
                + "who they are, so that nobody can try out tokens (RFC 7662 §2.1).")
    }
}
