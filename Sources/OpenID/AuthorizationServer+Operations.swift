package import Essentials
package import HTTP
package import SQLite

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

    /// The access token that the request carries, alive.
    ///
    /// - Parameter scope: what it must be good for.
    /// - Throws: what RFC 6750 §3.1 says.
    package func requireAccessToken(_ request: Request, scope: String? = nil) throws -> AccessToken {
        throw NotBuilt()
    }

    /// The access token with this text, alive or not; nil for one that this server never issued, or whose signature is wrong.
    package func accessToken(_ text: String) throws -> AccessToken? { throw NotBuilt() }

    /// Makes tokens for a grant that did not come from the authorization endpoint, which is stored with them.
    ///
    /// - Returns: the members of a token response.
    package func issueTokens(
        for grant: Grant, to client: Client, parameters: Form, in db: Connection
    ) throws -> PreparedTokens { throw NotBuilt() }

    /// Signs what has to be signed, outside of the transaction that prepared it.
    package func response(of prepared: PreparedTokens) throws -> [String: JSONValue] { throw NotBuilt() }
}

/// Tokens that stand in the database and lack their signatures.
package struct PreparedTokens: Sendable {}

struct NotBuilt: Error {}
