import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `PUT /sdk/v1/profiles/{profile_id}/pin`: sets the PIN of the convenience mode; the server keeps a verifier alone.
    ///
    /// - Request: an access token, and `{"pin"}`.
    /// - Response: 204.
    /// - Errors: those of ``requireDeviceUser(_:)``; the 422s of ``checkPIN(_:)``; 403 `profile_mismatch` 10015; 404 `not_found`
    ///   10015 when PINs may not be sent; 400 `invalid_request` 10015.
    /// - Source: the device protocol.
    func setPIN(_ request: Request) throws -> Response {
        let user = try requireDeviceUser(request)
        try check(request.parameter("profile"), isOf: user)
        let pin = try members(request).text("pin")
        try check(pin, by: try database.read { db in try convenient(user.device, in: db).pinPolicy })
        var profile = user.profile
        try profile.setPIN(pin, salt: newSalt())
        try world.change { [profile] turn in try store(profile, turn) }
        return .noContent
    }

    /// Keeps the verifier of a profile, with its failures as they are by now.
    private func store(_ changed: Profile, _ turn: Turn) throws {
        guard var profile = try turn.db.profile(changed.id, on: changed.clientID) else {
            throw try registry.refusal(ofMissing: changed.id, on: changed.clientID, in: turn.db)
        }
        (profile.pinSalt, profile.pinDigest) = (changed.pinSalt, changed.pinDigest)
        try turn.update(profile, .pinSalt, .pinDigest)
    }
}
