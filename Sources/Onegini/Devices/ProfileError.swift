import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of a user's registration on a device.
enum ProfileError: AuditedRefusal, Equatable {
    case profileMalformed(String)
    case profileTaken(String, by: String, wanted: String)
    case tooManyProfiles(Int)
    case registrationOff(application: String)

    /// Source: the device protocol.
    var wire: OAuthWire {
        switch self {
        case .profileMalformed:
            .device(.badRequest, "invalid_request", "The profile id must have 6 of A-Z and 0-9", 10015)
        case .profileTaken:
            .device(.badRequest, "invalid_request", "The profile id is used by another user", 10015)
        case .tooManyProfiles:
            .device(.badRequest, "invalid_request", "The device has too many profiles", 10015)
        case .registrationOff:
            .device(.badRequest, "unauthorized_client", "Users cannot register with this application", 10015)
        }
    }

    var event: EventType? { .tokenRequestInvalidProfileId }

    var explanation: String {
        switch self {
        case .profileMalformed(let id):
            "Expected a profile_id of 6 characters of A-Z and 0-9, found \"\(id.prefix(40))\". Without one the server "
                + "picks it and tells it in the answer."
        case .profileTaken(let id, let owner, let wanted):
            "The profile \(id) of this device is \"\(owner)\", and \"\(wanted)\" wants it. Each user of a device needs a "
                + "profile of their own; leave profile_id out to get a free one."
        case .tooManyProfiles(let limit):
            "The device has \(limit) profiles already; remove some: DELETE /sdk/v1/profiles/{profile_id}."
        case .registrationOff(let application):
            "user_registration is off for \(application): its devices may call as themselves alone."
        }
    }
}
