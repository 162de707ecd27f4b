import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `PUT /sdk/v1/mobile-auth/push`: where push messages for the profile go.
    ///
    /// - Request: an access token, and `{"profile_id", "push_token"}`.
    /// - Response: 204.
    /// - Errors: those of ``requireDeviceUser(_:)``; 409 `keys_not_exchanged` 9021, 409 `push_token_in_use` 9016, 409
    ///   `user_already_enrolled` 9018, 403 `enrollment_disabled` 9017, 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol; modes: Token Server documentation, topic «push authentication».
    func enrollPush(_ request: Request) throws -> Response {
        try enrollmentStep(request) { user in
            let input = try members(request)
            try check(try input.text("profile_id"), isOf: user)
            let token = try input.text("push_token")
            guard token.utf8.count <= 4096 else {
                throw DeviceCallRefusal.requestInvalid(
                    "The push token has \(token.utf8.count) bytes; at most 4096 are taken.", sdkCode: 10015)
            }
            try world.change { turn in
                var enrollment = try makeRoom(forPush: token, of: user, turn)
                enrollment.pushToken = token
                try turn.update(enrollment, .pushToken)
                try note(.pushEnrollmentSuccess, user, request, turn)
            }
            return .noContent
        }
    }

    /// - Returns: the enrollment that may have the token.
    private func makeRoom(
        forPush token: String, of user: DeviceUser, _ turn: Turn
    ) throws -> Enrollment {
        let rules = try EnrollmentSettings.current(in: turn.db)
        guard rules.isEnabled, rules.isPushEnabled else {
            throw EnrollmentRefusal.disabled(
                setting: "enrollment.\(rules.isEnabled ? "push_enabled" : "enabled") is false")
        }
        guard let enrollment = try turn.db.enrollment(of: user.profile.id, on: user.client.id) else {
            throw EnrollmentRefusal.notEnrolled(profileID: user.profile.id)
        }
        let holder = try turn.first(
            Enrollment.self, where: "push_token = \(token)", order: "enrolled_at, rowid")
        if let holder, holder.clientID != user.client.id {
            throw EnrollmentRefusal.pushTokenInUse(clientID: holder.clientID)
        }
        guard rules.pushMode != .multipleDevices else { return enrollment }
        let others = try turn.db.enrollments(of: user.profile.subject)
            .filter { $0.pushToken != nil && $0.clientID != user.client.id }
        for var other in others {
            guard rules.pushMode == .override else {
                throw EnrollmentRefusal.enrolledElsewhere(
                    clientID: other.clientID, subject: user.profile.subject)
            }
            other.pushToken = nil
            try turn.update(other, .pushToken)
        }
        return enrollment
    }
}
