import HTTP
import OpenID
import PlatformKit

extension Onegini {
    /// `POST /sdk/v1/profiles/{profile_id}/pin/change`: another PIN for the convenience mode, by the present one.
    ///
    /// - Request: an access token, and `{"current_pin", "new_pin"}`.
    /// - Response: 204.
    /// - Errors: as ``setPIN(_:)``; 400 `invalid_grant` 9009 or 9003 for a wrong PIN, which is counted; 409 `pin_not_set` 10015.
    /// - Source: the device protocol.
    func changePIN(_ request: Request) throws -> Response {
        let user = try authentication.requireUser(request)
        try user.require(profile: request.parameter("profile"))
        let members = try Members(ofDevice: request)
        let (current, new) = (try members.text("current_pin"), try members.text("new_pin"))
        try pins.change(current, to: new, of: user)
        return .noContent
    }
}
