import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/enroll`: the three steps of an enrollment in one.
    ///
    /// - Request: an access token, and `{"profile_id", "public_key"}`, an OpenPGP certificate armored or in base64.
    /// - Response: `200 {"enrolled": true, "server_public_key", "server_key_fingerprint", "device_key_fingerprint"}`.
    /// - Errors: those of the three steps.
    /// - Source: the device protocol.
    func enroll(_ request: Request) throws -> Response {
        try enrollmentStep(request) { user in
            let input = try members(request)
            try check(try input.text("profile_id"), isOf: user)
            try database.read { db in try checkEnrollment(of: user.profile, in: db) }
            let certificate = try certificate(try input.text("public_key"))
            let server = try keyForEnrollment()
            try world.change { turn in
                try checkEnrollment(of: user.profile, in: turn.db)
                try enroll(
                    user, certificate: certificate.lines, serverKey: server.stored, request, turn)
            }
            var answer = Self.keys(server.key, certificate).object ?? [:]
            answer["enrolled"] = true
            return .oauth(.object(answer))
        }
    }
}
