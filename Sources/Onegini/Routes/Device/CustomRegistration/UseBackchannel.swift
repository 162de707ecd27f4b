import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /api/v3/custom-registration/{idp}/backchannel`: a portal's part in a registration. The QR provider trades
    /// `{"userId"}` for `{"identifier"}`, which is good once, for five minutes.
    ///
    /// - Request: an API client with `onegini_api_user_registration`, and `{"data"?}`.
    /// - Response: `200 {"status", "data"?}`.
    /// - Errors: 401 `invalid_client`, 403 `insufficient_permissions`, 400 `invalid_request`, 404 `invalid_idp_identifier`, 403
    ///   `idp_disabled`.
    /// - Source: Token Server documentation, API reference “custom registration”, topic “QR code registration”.
    func useBackchannel(_ request: Request) throws -> Response {
        try access.require(
            request, scope: "onegini_api_user_registration", denial: "insufficient_permissions")
        let data = try Members(ofCustomRegistration: request).values["data"]
        let identifier = registry.handle("registration_identifier")
        return try customRegistrations.useBackchannel(identifier, of: request.parameter("idp"), data)
            .response()
    }
}
