import HTTP
import OpenID

extension Onegini {
    /// Kind of the clients that may call the management APIs, and nothing else.
    static let apiClientKind = "api"

    /// The API client that the request proves to come from, good for `scope` such as `onegini_api_mobile_authentication`.
    ///
    /// It proves itself as at the token endpoint, or with a private-key JWT as `Authorization: Bearer`.
    ///
    /// - Throws: 401 `invalid_client`; 403 `denial` when the client lacks the scope (`insufficient_permissions`, `forbidden` or
    ///   `insufficient_scope`, as each API spells it).
    @discardableResult
    func requireAPIClient(_ request: Request, scope: String, denial: String) throws -> Client {
        let client: Client
        do {
            client = try server.requireClient(request, allowingBearerAssertion: true)
        } catch let refusal as any OAuthRefusal {
            throw APIAccessRefused(.credentials(refusal), denial: denial)
        }
        guard client.kind == Self.apiClientKind else {
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
}
