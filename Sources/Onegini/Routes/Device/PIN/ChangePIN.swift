import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `POST /sdk/v1/profiles/{profile_id}/pin/change`: another PIN for the convenience mode, by the present one.
    ///
    /// - Request: an access token, and `{"current_pin", "new_pin"}`.
    /// - Response: 204.
    /// - Errors: as ``setPIN(_:)``; 400 `invalid_grant` 9009 or 9003 for a wrong PIN, which is counted; 409 `pin_not_set` 10015.
    /// - Source: the device protocol.
    func changePIN(_ request: Request) throws -> Response {
        let user = try requireDeviceUser(request)
        try check(request.parameter("profile"), isOf: user)
        let members = try members(request)
        let (current, new) = (try members.text("current_pin"), try members.text("new_pin"))
        try check(new, by: try database.read { db in try convenient(user.device, in: db).pinPolicy })
        let salt = newSalt()
        try world.change { turn in
            var profile = try verify(current, of: user.profile.id, on: user.client.id, turn)
            try profile.setPIN(new, salt: salt)
            try turn.update(profile)
        }
        return .noContent
    }
}
