import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `PUT /sdk/v1/mobile-auth/push`: where push messages for the profile go.
    ///
    /// - Request: an access token, and `{"profile_id", "push_token"}`.
    /// - Response: 204.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 409 `keys_not_exchanged` 9021, 409 `push_token_in_use` 9016, 409
    ///   `user_already_enrolled` 9018, 403 `enrollment_disabled` 9017, 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol; modes: Token Server documentation, topic “push authentication”.
    func enrollPush(_ request: Request) throws -> Response {
        try enrollments.step(request) { user in
            let input = try Members(ofDevice: request)
            try user.require(profile: input.text("profile_id"))
            let token = try input.text("push_token")
            guard token.utf8.count <= 4096 else {
                throw DeviceCallRefusal.requestInvalid(
                    "The push token has \(token.utf8.count) bytes; at most 4096 are taken.", sdkCode: 10015)
            }
            try enrollments.setPushToken(token, of: user, request)
            return .noContent
        }
    }

    /// `DELETE /sdk/v1/mobile-auth/push?profile_id=`: no more push messages; the enrollment stays.
    ///
    /// - Request: an access token.
    /// - Response: 204, also when there was no push token.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func endPush(_ request: Request) throws -> Response {
        let user = try authentication.requireUser(request)
        try user.require(profile: request.queryProfile())
        try world.change { turn in
            guard var enrollment = try turn.db.enrollment(of: user.profile.id, on: user.client.id) else {
                return
            }
            enrollment.pushToken = nil
            try turn.update(enrollment, .pushToken)
        }
        return .noContent
    }
}
