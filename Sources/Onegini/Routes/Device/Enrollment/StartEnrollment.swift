import Essentials
import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/enrollments`: the first of three steps, begins an enrollment in the place of one that was begun.
    ///
    /// - Request: an access token, and `{"profile_id"}`.
    /// - Response: `201 {"enrollment_id", "expires_in": 120}`.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 403 `enrollment_disabled` 9017, 403 `profile_mismatch` 10015, 409
    ///   `already_enrolled` 9016, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func startEnrollment(_ request: Request) throws -> Response {
        try enrollments.step(request) { user in
            try user.require(profile: Members(ofDevice: request).text("profile_id"))
            let pending = try enrollments.begin(for: user, request)
            return .oauth(
                [
                    "enrollment_id": .string(pending.id),
                    "expires_in": .integer(PendingEnrollment.lifetimeSeconds),
                ], status: .created)
        }
    }
}
