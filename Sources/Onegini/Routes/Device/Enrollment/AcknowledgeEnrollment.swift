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
            try database.write { db in
                let pending = try pendingEnrollment(id, of: user, in: db).get()
                guard let certificate = pending.certificate else { throw EnrollmentError.keysMissing(id) }
                try checkEnrollment(of: user.profile, in: db)
                try enroll(
                    user, certificate: certificate, serverKey: pending.serverKey, request, in: db)
            }
            noteEnrolled(user)
            return .oauth(["enrolled": true])
        }
    }

    func noteEnrolled(_ user: DeviceUser) {
        services.journal.event(
            "enrolled", about: user.profile.subject,
            "The profile \(user.profile.id) of \"\(user.profile.subject)\" on \"\(user.device.name)\" takes part in mobile "
                + "authentication from now on.")
    }
}
