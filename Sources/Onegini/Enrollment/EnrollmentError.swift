import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the enrollment for mobile authentication.
enum EnrollmentError: AuditedRefusal, Equatable {
    /// - Parameter setting: the fixture member that says so, and its value.
    case disabled(setting: String)
    case unknown(String)
    case expired(String, seconds: Int)
    case keyInvalid(OpenPGPError)
    case keysMissing(String)
    case alreadyEnrolled(profileID: String)
    case notEnrolled(profileID: String)
    case pushTokenInUse(clientID: String)
    case enrolledElsewhere(clientID: String, subject: String)

    /// Source: the device protocol.
    var wire: OAuthWire {
        switch self {
        case .disabled: .device(.forbidden, "enrollment_disabled", "Enrollment is not available", 9017)
        case .unknown, .expired:
            .device(.notFound, "unknown_enrollment", "The enrollment is not known", 10015)
        case .keyInvalid(let fault):
            .device(.badRequest, "invalid_public_key", Self.ascii(fault.explanation), 10015)
        case .keysMissing, .notEnrolled:
            .device(.conflict, "keys_not_exchanged", "The keys were not exchanged", 9021)
        case .alreadyEnrolled: .device(.conflict, "already_enrolled", "The profile is enrolled already", 9016)
        case .pushTokenInUse:
            .device(.conflict, "push_token_in_use", "The push token belongs to another installation", 9016)
        case .enrolledElsewhere:
            .device(.conflict, "user_already_enrolled", "The user is enrolled on another device", 9018)
        }
    }

    /// What a description may hold. Source: RFC 6749 §5.2.
    private static func ascii(_ text: String) -> String {
        String(
            decoding: text.utf8.compactMap { byte -> UInt8? in
                let isAllowed =
                    0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                return isAllowed ? byte : nil
            }, as: UTF8.self)
    }

    var event: EventType? {
        switch self {
        case .disabled: .keyEnrollmentFailureDisabled
        case .unknown, .expired, .keyInvalid, .keysMissing, .alreadyEnrolled:
            .keyEnrollmentFailureInvalidRequest
        case .notEnrolled: .pushEnrollmentFailureKeysNotExchanged
        case .pushTokenInUse: .pushEnrollmentFailureExistingPushToken
        case .enrolledElsewhere: .pushEnrollmentFailureUserAlreadyEnrolled
        }
    }

    var explanation: String {
        switch self {
        case .disabled(let setting): "Nobody can enroll here: \(setting)."
        case .unknown(let id):
            "No enrollment \"\(id.prefix(60))\" of this profile waits. It was acknowledged, replaced by a later one, or is of "
                + "another device."
        case .expired(let id, let seconds):
            "The enrollment \(id) expired \(seconds) s ago; keys have to be sent and acknowledged within "
                + "\(PendingEnrollment.lifetimeSeconds) s."
        case .keyInvalid(let fault): fault.explanation
        case .keysMissing(let id):
            "The enrollment \(id) is acknowledged, but the device never sent its public key: PUT …/enrollments/\(id)/keys."
        case .alreadyEnrolled(let profileID):
            "The profile \(profileID) is enrolled, and enrollment.reenrollment_allowed is false. Delete the enrollment first."
        case .notEnrolled(let profileID):
            "The profile \(profileID) is not enrolled; push needs the keys to be exchanged before."
        case .pushTokenInUse(let clientID):
            "The push token is the one of the device \(clientID); each installation has its own."
        case .enrolledElsewhere(let clientID, let subject):
            "enrollment.push_mode is single_device, and \"\(subject)\" has push on the device \(clientID) already."
        }
    }
}
