import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `PUT /sdk/v1/mobile-auth/enrollments/{enrollment_id}/keys`: the second step, exchanges public keys.
    ///
    /// - Request: an access token, and `{"public_key"}`, an OpenPGP certificate armored or in base64; or `{"jwk"}`, a public P-256 key.
    /// - Response: `200 {"server_public_key", "server_key_fingerprint", "device_key_fingerprint"}`; the first is armored. To a JWK, its
    ///   thumbprint as the fingerprint and nothing of the server.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; 404 `unknown_enrollment` 10015, 400 `invalid_public_key` 10015, 403
    ///   `enrollment_disabled` 9017, 403 `profile_mismatch` 10015, 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func sendEnrollmentKeys(_ request: Request) throws -> Response {
        try enrollments.step(request) { user in
            let key = try Members(ofDevice: request).deviceKey()
            return .oauth(try enrollments.exchangeKeys(request.parameter("id"), key, of: user, request))
        }
    }
}
