import HTTP
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/otp/{transaction_id}/answer`: the user's word, encrypted to the server; for pushes `/push/`.
    ///
    /// - Request: user's access token; `{"message": "<base64 or armored OpenPGP>"}`. Decrypted: `{"v": 1, "transaction_id",
    ///   "challenge", "result": "confirm" or "deny", "timestamp"?, "refresh_token"?, "signature"?}`; `refresh_token` with
    ///   PUSH_WITH_PIN, `signature` in base64 where there were data to sign.
    /// - Response: `200 {"transaction_id", "result", "state": "AUTHENTICATED" or "DENIED"}`. The callback is queued by then.
    /// - Errors: `invalid_token` 9010, `invalid_client` 9002, `user_deregistered` 9003, `invalid_request` 10015,
    ///   `mobile_auth_disabled` 9017, `not_found` 10013, `not_handleable` 10018, `user_disenrolled` 9020 once, `not_enrolled`
    ///   9021, `already_handled` 9029, `invalid_answer` 10015 (final), `invalid_pin` 9009 or 9003.
    /// - Source: the device protocol.
    func answerOTP(_ request: Request) throws -> Response { try answer(request, .otp) }

    func answerPush(_ request: Request) throws -> Response { try answer(request, .push) }

    private func answer(_ request: Request, _ way: HandlingWay) throws -> Response {
        let user = try handling.requireCaller(
            request, badToken: .mobileAuthNotAuthenticatedInvalidToken,
            badDevice: .mobileAuthNotAuthenticatedInvalidToken)
        let message = try Members(ofDevice: request).text("message")
        return try handling.answer(message, to: request.parameter("id"), way, by: user, request).response
    }
}
