package import HTTP

// What the platform that mounts the server asks of it, besides the routes.
extension AuthorizationServer {
    /// The issuer under which the client reached us: no trailing slash.
    package func issuer(_ request: Request) -> String { request.baseURL + profile.issuerSuffix }

    /// The answer to an error that is this server's; nil for one that is not.
    package static func response(for error: any Error) throws -> Response? {
        try (error as? any OAuthRefusal)?.response()
    }

    /// The client that the request proves to come from: `Authorization: Basic`, `client_secret_post`, a private-key JWT, or the
    /// bare `client_id` of a public client.
    ///
    /// - Throws: `invalid_client` and `invalid_request`. Source: RFC 6749 §2.3; RFC 7523 §3.
    package func requireClient(_ request: Request) throws -> Client { throw NotBuilt() }
}

struct NotBuilt: Error {}
