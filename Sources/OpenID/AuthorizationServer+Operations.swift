package import HTTP
import SQLite

// What the platform that mounts the server asks of it, besides the routes.
extension AuthorizationServer {
    /// The issuer under which the client reached us, the mount's base URL: no trailing slash.
    package func issuer(_ request: Request) -> String { request.baseURL }

    /// Whether this server, in this world, is the issuer that a token of ours names. Worlds may share keys, so that the signature
    /// does not tell them apart.
    ///
    /// A server is known under several addresses, to a browser and to a back end in a container; one under which it granted
    /// something that is in `selection`, such as to this user, is its own.
    ///
    /// - Parameter expected: ``issuer(_:)`` of the request that brings the token.
    func isOwnIssuer(
        _ issuer: String?, of selection: GrantStore.Selection, expected: String
    ) throws -> Bool {
        if issuer == expected { return true }
        return try database.read { db in
            try grants.all(selection, in: db).contains { $0.issuer == issuer }
        }
    }

    /// The answer to an error that is this server's; nil for one that is not.
    package static func response(for error: any Error) throws -> Response? {
        try (error as? any OAuthRefusal)?.response()
    }
}
