import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `DELETE /sdk/v1/mobile-auth/push?profile_id=`: no more push messages; the enrollment stays.
    ///
    /// - Request: an access token.
    /// - Response: 204, also when there was no push token.
    /// - Errors: those of ``requireDeviceUser(_:)``; 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func endPush(_ request: Request) throws -> Response {
        let user = try requireDeviceUser(request)
        try check(try request.queryProfile(), isOf: user)
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
