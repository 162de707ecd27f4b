import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `PUT /sdk/v1/profiles/{profile_id}/pin`: sets the PIN of the convenience mode; the server keeps a verifier alone.
    ///
    /// - Request: an access token, and `{"pin"}`.
    /// - Response: 204.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)``; the 422s of ``checkPIN(_:)``; 403 `profile_mismatch` 10015; 404 `not_found`
    ///   10015 when PINs may not be sent; 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func setPIN(_ request: Request) throws -> Response {
        let user = try authentication.requireUser(request)
        try user.require(profile: request.parameter("profile"))
        try pins.set(Members(ofDevice: request).text("pin"), of: user)
        return .noContent
    }
}
