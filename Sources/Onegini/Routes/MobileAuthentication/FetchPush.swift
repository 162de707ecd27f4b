import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/push/{transaction_id}/fetch`: the message of a push, once.
    ///
    /// - Request: user's access token; `{"profile_id"}`.
    /// - Response: as ``fetchOTP(_:)``; the decrypted message has `signing_data` where the portal sent data to sign.
    /// - Errors: as ``fetchOTP(_:)``, without those of the code.
    /// - Source: the device protocol.
    func fetchPush(_ request: Request) throws -> Response {
        let user = try handling.requireCaller(
            request, badToken: .mobileAuthNotAuthenticatedInvalidToken,
            badDevice: .mobileAuthFetchFailedInvalidClientId)
        try handling.checkProfile(
            Members(ofDevice: request), user, absent: .mobileAuthFetchFailedInvalidTransaction, request)
        let order = FetchOrder(
            transactionID: request.parameter("id"), code: nil, way: .push, user: user)
        return try handling.fetch(order, request).response
    }
}
