// What the settings of a server, or the registration of a client, demand beyond the standard's least.
extension AuthorizationFault {
    /// - Parameter isClients: whether the client's registration wants it, as opposed to the settings.
    static func requestObjectMissing(isClients: Bool) -> Self {
        Self(
            "invalid_request", "The request must be signed",
            "The request has no request object, and \(isClients ? "the client" : "this server") is set up with "
                + "require_signed_request_object: send the parameters as a signed JWT in request (RFC 9101)."
        )
    }

    /// - Parameter isClients: whether the client's registration wants it, as opposed to the settings.
    static func pushMissing(isClients: Bool) -> Self {
        Self(
            "invalid_request", "The request must be pushed",
            "The request came by the browser, and \(isClients ? "the client" : "this server") is set up with "
                + "require_pushed_authorization_requests: push it to the endpoint /par and send its request_uri (RFC 9126)."
        )
    }

    /// By the settings.
    static var challengeDemanded: Self {
        Self(
            "invalid_request", "A code_challenge is missing",
            "The request has no code_challenge, and by the settings of this server (pkce or profile) every client sends one (RFC 7636)."
        )
    }

    /// - Parameter method: nil for none, which means `plain`.
    static func challengeMethodRefused(_ method: String?) -> Self {
        Self(
            "invalid_request", "The code_challenge_method must be S256",
            "The code_challenge_method is \(method.map { "“\($0)”" } ?? "missing, which means plain"); by the settings of this server "
                + "(pkce or profile) it must be S256."
        )
    }
}
