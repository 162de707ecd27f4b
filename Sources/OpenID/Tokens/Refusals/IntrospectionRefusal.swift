import HTTP

/// Why somebody may not introspect at all. Source: RFC 7662 §2.1, §2.3.
enum IntrospectionRefusal: OAuthRefusal, Equatable {
    case publicClient(String)

    var wire: OAuthWire {
        OAuthWire(
            .unauthorized, "invalid_client", "Introspection needs a client with credentials",
            headers: [("WWW-Authenticate", "Basic")])
    }

    var explanation: String {
        switch self {
        case .publicClient(let id):
            "The client \"\(id)\" has no credentials, so that anybody could be it; introspection is for callers that prove "
                + "who they are, so that nobody can try out tokens (RFC 7662 §2.1)."
        }
    }
}
