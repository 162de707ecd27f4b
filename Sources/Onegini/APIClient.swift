import HTTP
import OpenID

extension Onegini {
    /// The API client that the request proves to come from, good for `scope` such as `onegini_api_mobile_authentication`.
    ///
    /// - Throws: 401 `invalid_client`; 403 `denial` when the client lacks the scope (`insufficient_permissions`, `forbidden` or
    ///   `insufficient_scope`, as each API spells it).
    func requireAPIClient(_ request: Request, scope: String, denial: String) throws -> Client {
        throw NotBuilt()
    }
}
