import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/otp/fetch`: trades a scanned code for the message, once.
    ///
    /// - Request: user's access token; `{"otp": "<base64 as scanned>", "profile_id"}`, or `transaction_id` and `otp_code` in the
    ///   place of `otp`.
    /// - Response: `200 {"transaction_id", "encoding": "base64", "message": "<OpenPGP>", "expires_in": seconds}`. Decrypted:
    ///   `{"v": 1, "transaction_id", "type", "method", "message", "profile_id", "challenge", "issued_at", "expires_at"}`, times in
    ///   milliseconds.
    /// - Errors: `invalid_token` 9010, `invalid_client` 9002, `user_deregistered` 9003, `not_handleable` 10018, `invalid_request`
    ///   10015, `profile_mismatch` 10015, `mobile_auth_disabled` 9017, `not_found` 10013 (the third wrong code ends the
    ///   transaction), `user_disenrolled` 9020 once, `not_enrolled` 9021, `already_handled` 9029.
    /// - Source: the device protocol.
    func fetchOTP(_ request: Request) throws -> Response {
        let user = try handling.requireCaller(
            request, badToken: .otpAuthNotAuthenticatedInvalidAccessToken,
            badDevice: .mobileAuthFetchFailedInvalidClientId)
        let members = try Members(ofDevice: request)
        let object = try otpObject(members)
        try handling.checkProfile(
            members, user, absent: .mobileAuthFetchFailedMissingProfileIdForOtpAuth, request)
        let order = FetchOrder(
            transactionID: object.transactionID, code: object.code, way: .otp, user: user)
        return try handling.fetch(order, request).response
    }

    private func otpObject(_ members: Members) throws -> OTPObject {
        if let text = try members.optionalText("otp") {
            do {
                return try OTPObject(reading: text)
            } catch {
                throw HandlingRefusal.notHandleable(
                    "The member \"otp\" \(error.words); expected base64 of {\"transaction_id\":\"…\",\"otp\":\"…\"}. The QR "
                        + "code may be damaged, or come from another server.")
            }
        }
        guard let id = try members.optionalText("transaction_id"),
            let code = try members.optionalText("otp_code")
        else {
            throw HandlingRefusal.notHandleable(
                "The body has neither “otp” nor “transaction_id” with “otp_code”.")
        }
        return OTPObject(transactionID: id, code: code)
    }
}
