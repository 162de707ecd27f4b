import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/enrollments`: the first of three steps, begins an enrollment in the place of one that was begun.
    ///
    /// - Request: an access token, and `{"profile_id"}`.
    /// - Response: `201 {"enrollment_id", "expires_in": 120}`.
    /// - Errors: those of ``requireDeviceUser(_:)``; 403 `enrollment_disabled` 9017, 403 `profile_mismatch` 10015, 409
    ///   `already_enrolled` 9016, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func startEnrollment(_ request: Request) throws -> Response {
        try enrollmentStep(request) { user in
            try check(try members(request).text("profile_id"), isOf: user)
            let pending = PendingEnrollment(
                id: services.entropy.uuid(for: "onegini.enrollment"), of: user.profile,
                expiresAt: enrollmentDeadline)
            try world.change { turn in
                try checkEnrollment(of: user.profile, in: turn.db)
                try turn.save(pending)
                try note(.enrollmentInitialized, user, request, turn)
            }
            return .oauth(
                [
                    "enrollment_id": .string(pending.id),
                    "expires_in": .integer(PendingEnrollment.lifetimeSeconds),
                ], status: .created)
        }
    }

    /// When what is begun or sent now will be dropped.
    var enrollmentDeadline: Date {
        services.clock.now().addingTimeInterval(Double(PendingEnrollment.lifetimeSeconds))
    }
}
