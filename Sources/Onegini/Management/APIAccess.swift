import HTTP
import OpenID

/// Who may call the management APIs: clients of a kind of their own, which prove themselves as at the token endpoint, or with a
/// private-key JWT as `Authorization: Bearer`.
struct APIAccess: Sendable {
    /// Kind of the clients that may call the management APIs, and nothing else.
    static let clientKind = "api"

    let server: AuthorizationServer

    init(_ server: AuthorizationServer) { self.server = server }

    /// The API client that the request proves to come from, good for `scope` such as `onegini_api_mobile_authentication`.
    ///
    /// - Throws: 401 `invalid_client`; 403 `denial` when the client lacks the scope (`insufficient_permissions`, `forbidden` or
    ///   `insufficient_scope`, as each API spells it).
    @discardableResult
    func require(_ request: Request, scope: String, denial: String) throws -> Client {
        let client: Client
        do {
            client = try server.requireClient(request, allowingBearerAssertion: true)
        } catch let refusal as any OAuthRefusal {
            throw APIAccessRefused(.credentials(refusal), denial: denial)
        }
        guard client.kind == Self.clientKind else {
            throw APIAccessRefused(.kind(clientID: client.id, kind: client.kind, scope), denial: denial)
        }
        guard !client.isPublic else {
            throw APIAccessRefused(.unproven(clientID: client.id), denial: denial)
        }
        guard client.scopes.contains(scope) else {
            throw APIAccessRefused(
                .scope(clientID: client.id, has: client.scopes, lacks: scope), denial: denial)
        }
        return client
    }

    /// For the end-user API.
    ///
    /// - Throws: 401, or 403 `insufficient_permissions`.
    @discardableResult
    func requireEndUser(_ request: Request) throws -> Client {
        try require(request, scope: "onegini_api_end_user", denial: "insufficient_permissions")
    }

    /// For the config and admin APIs.
    ///
    /// - Throws: 401, or 403 `forbidden`.
    func requireConfigurator(_ request: Request, scope: String = "onegini_api_config") throws {
        try require(request, scope: scope, denial: "forbidden")
    }
}
