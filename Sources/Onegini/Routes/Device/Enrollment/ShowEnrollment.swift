import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /sdk/v1/mobile-auth/enrollment?profile_id=`: whether the profile is enrolled, and with which keys.
    ///
    /// - Request: an access token.
    /// - Response: `200 {"enrolled", "push_enrolled", "device_key_fingerprint"?, "server_key_fingerprint"?}`.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func showEnrollment(_ request: Request) throws -> Response {
        let user = try authentication.requireUser(request)
        try user.require(profile: request.queryProfile())
        let enrollment = try database.read { db in
            try db.enrollment(of: user.profile.id, on: user.client.id)
        }
        guard let enrollment else { return .oauth(["enrolled": false, "push_enrolled": false]) }
        var members: [String: JSONValue] = [
            "enrolled": true, "push_enrolled": .boolean(enrollment.pushToken != nil),
        ]
        // As of the enrollment: a certificate that expired since then still has its fingerprint.
        let certificate = try enrollment.deviceCertificate(at: enrollment.enrolledAt)
        members["device_key_fingerprint"] = .string(try certificate.fingerprint)
        if certificate.isOpenPGP {
            members["server_key_fingerprint"] = try world.serverKey(of: enrollment).map {
                .string($0.fingerprint)
            }
        }
        return .oauth(.object(members))
    }
}

extension Request {
    /// The profile that the query names.
    func queryProfile() throws -> String {
        guard let profile = queryItems["profile_id"], !profile.isEmpty else {
            throw DeviceCallRefusal.requestInvalid("The query lacks profile_id.", sdkCode: 10015)
        }
        return profile
    }
}
