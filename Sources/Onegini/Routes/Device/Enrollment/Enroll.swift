import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/mobile-auth/enroll`: the three steps of an enrollment in one.
    ///
    /// - Request: an access token, and `{"profile_id", "public_key"}`, an OpenPGP certificate armored or in base64; or `{"profile_id",
    ///   "jwk"}`, a public P-256 key, for messages without OpenPGP.
    /// - Response: `200 {"enrolled": true, "server_public_key", "server_key_fingerprint", "device_key_fingerprint"}`; to a JWK, its
    ///   thumbprint as the fingerprint and nothing of the server.
    /// - Errors: those of the three steps.
    /// - Source: the device protocol.
    func enroll(_ request: Request) throws -> Response {
        try enrollments.step(request) { user in
            let input = try Members(ofDevice: request)
            try user.require(profile: input.text("profile_id"))
            return .oauth(try enrollments.enroll(user, input, request))
        }
    }
}
