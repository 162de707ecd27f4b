import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `PUT /sdk/v1/mobile-auth/enrollments/{enrollment_id}/keys`: the second step, exchanges public keys.
    ///
    /// - Request: an access token, and `{"public_key"}`, an OpenPGP certificate armored or in base64.
    /// - Response: `200 {"server_public_key", "server_key_fingerprint", "device_key_fingerprint"}`; the first is armored.
    /// - Errors: those of ``requireDeviceUser(_:)``; 404 `unknown_enrollment` 10015, 400 `invalid_public_key` 10015, 403
    ///   `enrollment_disabled` 9017, 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func sendEnrollmentKeys(_ request: Request) throws -> Response {
        try enrollmentStep(request) { user in
            let id = request.parameter("id")
            let certificate = try certificate(try members(request).text("public_key"))
            _ = try database.read { db in try pendingEnrollment(id, of: user, in: db) }
            let server = try keyForEnrollment()
            try world.change { turn in
                var pending = try pendingEnrollment(id, of: user, in: turn.db)
                pending.certificate = certificate.lines
                pending.serverKey = server.stored
                pending.expiresAt = enrollmentDeadline
                try turn.save(pending)
                try note(.enrollmentKeyFetched, user, request, turn)
            }
            return .oauth(Self.keys(server.key, certificate))
        }
    }

    static func keys(_ server: OpenPGPServerKey, _ device: OpenPGPCertificate) -> JSONValue {
        [
            "server_public_key": .string(server.armored),
            "server_key_fingerprint": .string(server.fingerprint),
            "device_key_fingerprint": .string(device.fingerprint),
        ]
    }

    /// An enrollment of the user that was begun and is not over.
    func pendingEnrollment(
        _ id: String, of user: DeviceUser, in db: Connection
    ) throws -> PendingEnrollment {
        guard let pending = try db.first(PendingEnrollment.self, where: "id = \(id)"),
            pending.clientID == user.client.id
        else { throw EnrollmentRefusal.unknown(id) }
        try check(pending.profileID, isOf: user)
        let now = services.clock.now()
        guard now < pending.expiresAt else {
            throw EnrollmentRefusal.expired(id, seconds: now.wholeSeconds(since: pending.expiresAt))
        }
        return pending
    }
}
