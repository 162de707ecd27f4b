import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `DELETE /sdk/v1/profiles/{profile_id}`: deregisters a user; tokens, enrollment and push token go, the device stays.
    ///
    /// - Request: the user's access token or the device's credentials.
    /// - Response: 204, also when the profile was gone before.
    /// - Errors: those of ``DeviceAuthentication/requireUser(_:)`` or 401 `invalid_client`; 403 `profile_mismatch` 10015.
    /// - Source: the device protocol.
    func removeProfile(_ request: Request) throws -> Response {
        let profileID = request.parameter("profile")
        guard let clientID = try deviceOfRequest(request, profileID) else { return .noContent }
        try world.change { turn in
            guard let profile = try turn.db.profile(profileID, on: clientID) else { return }
            try registry.remove(
                profile, .userRemoved, because: "The device deregistered it.", isKnown: true, in: turn.db)
            turn.note(
                "user deregistered", about: profile.subject,
                "The device deregistered the profile \(profileID) of “\(profile.subject)”; its own credentials stay."
            )
        }
        return .noContent
    }

    /// The device whose profile shall go; nil when the access token says itself that the profile is gone.
    private func deviceOfRequest(_ request: Request, _ profileID: String) throws -> String? {
        guard request.isBearer else { return try authentication.requireDevice(request).client.id }
        do {
            let user = try authentication.requireUser(request)
            try user.require(profile: profileID)
            return user.client.id
        } catch let refusal as DeviceCallRefusal where refusal.deregisteredProfile == profileID {
            return nil
        }
    }
}
