package import HTTP

// What the platform that mounts the server asks of it, besides the routes.
extension AuthorizationServer {
    /// The issuer under which the client reached us, the mount's base URL: no trailing slash.
    package func issuer(_ request: Request) -> String { request.baseURL }

    /// The answer to an error that is this server's; nil for one that is not.
    package static func response(for error: any Error) throws -> Response? {
        try (error as? any OAuthRefusal)?.response()
    }
}
