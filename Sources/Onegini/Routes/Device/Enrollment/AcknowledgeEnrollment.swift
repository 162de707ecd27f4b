import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/enrollments/{enrollment_id}/ack`: the third step; from here on the profile is enrolled.
    ///
    /// - Request: an access token, and `{}`.
    /// - Response: `200 {"enrolled": true}`.
    /// - Errors: those of ``requireDeviceUser(_:)``; 404 `unknown_enrollment` 10015, 409 `keys_not_exchanged` 9021, 403
    ///   `profile_mismatch` 10015.
    /// - Source: the device protocol.
    func acknowledgeEnrollment(_ request: Request) throws -> Response {
        try enrollmentStep(request) { user in
            _ = try members(request, isOptional: true)
            let id = request.parameter("id")
            try world.change { turn in
                let pending = try pendingEnrollment(id, of: user, in: turn.db)
                guard let certificate = pending.certificate else { throw EnrollmentRefusal.keysMissing(id) }
                try checkEnrollment(of: user.profile, in: turn.db)
                try enroll(
                    user, certificate: certificate, serverKey: pending.serverKey, request, turn)
            }
            return .oauth(["enrolled": true])
        }
    }
}
