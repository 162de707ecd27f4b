import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of a user's registration on a device.
struct ProfileRefusal: AuditedRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String
    var event: EventType? { .tokenRequestInvalidProfileId }

    private init(_ wire: OAuthWire, _ explanation: String) {
        (self.wire, self.explanation) = (wire, explanation)
    }
}

extension ProfileRefusal {
    static func profileMalformed(_ id: String) -> Self {
        Self(
            .device(.badRequest, "invalid_request", "The profile id must have 6 of A-Z and 0-9", 10015),
            "Expected a profile_id of 6 characters of A-Z and 0-9, found “\(id.prefix(40))”. Without one the server "
                + "picks it and tells it in the answer.")
    }

    static func profileTaken(_ id: String, by owner: String, wanted: String) -> Self {
        Self(
            .device(.badRequest, "invalid_request", "The profile id is used by another user", 10015),
            "The profile \(id) of this device is “\(owner)”, and “\(wanted)” wants it. Each user of a device needs a "
                + "profile of their own; leave profile_id out to get a free one.")
    }

    static func tooManyProfiles(_ limit: Int) -> Self {
        Self(
            .device(.badRequest, "invalid_request", "The device has too many profiles", 10015),
            "The device has \(limit) profiles already; remove some: DELETE /sdk/v1/profiles/{profile_id}.")
    }

    static func registrationOff(application: String) -> Self {
        Self(
            .device(.badRequest, "unauthorized_client", "Users cannot register with this application", 10015),
            "user_registration is off for \(application): its devices may call as themselves alone.")
    }
}
