import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `DELETE /sdk/v1/mobile-auth/enrollment?profile_id=`: the device ends its enrollment, push included.
    ///
    /// - Request: an access token.
    /// - Response: 204, also when there was none.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func endEnrollment(_ request: Request) throws -> Response {
        let user = try authentication.requireUser(request)
        try user.require(profile: request.queryProfile())
        try world.change { turn in
            if let enrollment = try turn.db.enrollment(of: user.profile.id, on: user.client.id) {
                try turn.delete(enrollment)
            }
            try turn.db.removePendingEnrollment(of: user.profile)
        }
        return .noContent
    }
}
