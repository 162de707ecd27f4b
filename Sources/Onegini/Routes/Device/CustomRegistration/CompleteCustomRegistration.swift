import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /custom-registration/{idp}/complete`, also below `/v2`: the only step, or the second of two.
    ///
    /// - Request: the client's credentials, or in v2 `client_assertion_type` and `client_assertion` in the body; `{"transaction_id"?,
    ///   "data"?, "scope"?: […], "profile_id"?, "hook_context_custom_params"?, "grant_type"?}`.
    /// - Response: `200 {"status", "oauth_token"?, "data"?}`; the token comes with success (2000 to 2999) alone.
    /// - Errors: 400 `invalid_request`, `invalid_client`, `invalid_transaction`, `invalid_scope`; 404 `invalid_idp_identifier`; 403
    ///   `idp_disabled`. A wrong profile id: as at the token endpoint. ``IssueRefusal``, which uses nothing up.
    /// - Source: Token Server documentation, API reference “custom registration” v1 and v2, topics “QR code registration” and
    ///   “stateless custom registration”.
    func completeCustomRegistration(_ request: Request) throws -> Response {
        let members = try Members(ofCustomRegistration: request)
        let client = try customRegistrations.requireClient(request, members)
        return try audit.auditing(request, clientID: client.id) {
            let order = try CustomOrder(members, client: client)
            let (outcome, tokens) = try customRegistrations.complete(
                order, with: request.parameter("idp"), by: client, request)
            let answer = try tokens.map { try server.response(of: $0) }
            return outcome.response(answer.map { ["oauth_token": .object($0)] } ?? [:])
        }
    }
}
