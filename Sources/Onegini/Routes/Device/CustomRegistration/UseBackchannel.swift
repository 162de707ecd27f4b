import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /api/v3/custom-registration/{idp}/backchannel`: a portal's part in a registration. The QR provider trades
    /// `{"userId"}` for `{"identifier"}`, which is good once, for five minutes.
    ///
    /// - Request: an API client with `onegini_api_user_registration`, and `{"data"?}`.
    /// - Response: `200 {"status", "data"?}`.
    /// - Errors: 401 `invalid_client`, 403 `insufficient_permissions`, 400 `invalid_request`, 404 `invalid_idp_identifier`, 403
    ///   `idp_disabled`.
    /// - Source: Token Server documentation, API reference «custom registration», topic «QR code registration».
    func useBackchannel(_ request: Request) throws -> Response {
        _ = try requireAPIClient(
            request, scope: "onegini_api_user_registration", denial: "insufficient_permissions")
        let data = try customMembers(request).values["data"]
        let identifier = registry.handle("registration_identifier")
        let outcome = try world.change { turn in
            let provider = try provider(request, in: turn.db)
            switch provider.kind {
            case .scripted: return scripted(provider, .backchannel, data)
            case .direct: return CustomOutcome(status: 5000, data: "this provider has no backchannel")
            case .qr:
                guard let userID = CustomOutcome.userID(in: data) else {
                    return CustomOutcome(status: 4000, data: "expected data with userId")
                }
                try turn.insert(newTransaction(identifier, provider, subject: userID))
                return CustomOutcome(status: 2000, data: ["identifier": .string(identifier)])
            }
        }
        return customResponse(outcome)
    }
}
