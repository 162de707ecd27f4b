import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /custom-registration/{idp}/init`, also below `/v2`: the first of two steps.
    ///
    /// - Request: the client's credentials, or in v2 `client_assertion_type` and `client_assertion` in the body; `{"data"?}`.
    /// - Response: `200 {"transaction_id", "status", "data"?}`; a status of 2000 to 2999 is success.
    /// - Errors: 400 `invalid_request`, `invalid_client`; 404 `invalid_idp_identifier`; 403 `idp_disabled`.
    /// - Source: Token Server documentation, API reference “custom registration” v1 and v2.
    func startCustomRegistration(_ request: Request) throws -> Response {
        let members = try Members(ofCustomRegistration: request)
        let client = try customRegistrations.requireClient(request, members)
        let id = services.entropy.uuid(for: "onegini.custom_registration")
        let outcome = try customRegistrations.begin(
            id, with: request.parameter("idp"), members.values["data"], by: client)
        return outcome.response(["transaction_id": .string(id)])
    }
}
