import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the enrollment for mobile authentication.
typealias EnrollmentRefusal = SubjectRefusal<Enrollment, EventType>

extension EnrollmentRefusal {
    /// - Parameter setting: the fixture member that says so, and its value.
    static func disabled(setting: String) -> Self {
        Self(
            .device(.forbidden, "enrollment_disabled", "Enrollment is not available", 9017),
            event: .keyEnrollmentFailureDisabled,
            explanation: "Enrollment is not possible here: \(setting).")
    }

    static func unknown(_ id: String) -> Self {
        Self(
            .device(.notFound, "unknown_enrollment", "The enrollment is not known", 10015),
            event: .keyEnrollmentFailureInvalidRequest,
            explanation:
                "No enrollment “\(id.prefix(60))” of this profile waits. It was acknowledged, replaced by a later one, or is of "
                + "another device.")
    }

    static func expired(_ id: String, seconds: Int) -> Self {
        Self(
            .device(.notFound, "unknown_enrollment", "The enrollment is not known", 10015),
            event: .keyEnrollmentFailureInvalidRequest,
            explanation:
                "The enrollment \(id) expired \(seconds) s ago; keys have to be sent and acknowledged within "
                + "\(PendingEnrollment.lifetimeSeconds) s.")
    }

    static func keyInvalid(_ fault: DeviceCertificate.Fault) -> Self {
        Self(
            .device(.badRequest, "invalid_public_key", Self.ascii(fault.explanation), 10015),
            event: .keyEnrollmentFailureInvalidRequest,
            explanation: fault.explanation)
    }

    static func keysMissing(_ id: String) -> Self {
        Self(
            .device(.conflict, "keys_not_exchanged", "The keys were not exchanged", 9021),
            event: .keyEnrollmentFailureInvalidRequest,
            explanation:
                "The enrollment \(id) is acknowledged, but the device never sent its public key: PUT …/enrollments/\(id)/keys."
        )
    }

    static func alreadyEnrolled(profileID: String) -> Self {
        Self(
            .device(.conflict, "already_enrolled", "The profile is enrolled already", 9016),
            event: .keyEnrollmentFailureInvalidRequest,
            explanation:
                "The profile \(profileID) is enrolled, and enrollment.reenrollment_allowed is false. Delete the enrollment first."
        )
    }

    static func notEnrolled(profileID: String) -> Self {
        Self(
            .device(.conflict, "keys_not_exchanged", "The keys were not exchanged", 9021),
            event: .pushEnrollmentFailureKeysNotExchanged,
            explanation:
                "The profile \(profileID) is not enrolled; push needs the keys to be exchanged before.")
    }

    static func pushTokenInUse(clientID: String) -> Self {
        Self(
            .device(.conflict, "push_token_in_use", "The push token belongs to another installation", 9016),
            event: .pushEnrollmentFailureExistingPushToken,
            explanation: "The push token is the one of the device \(clientID); each installation has its own."
        )
    }

    static func enrolledElsewhere(clientID: String, subject: String) -> Self {
        Self(
            .device(.conflict, "user_already_enrolled", "The user is enrolled on another device", 9018),
            event: .pushEnrollmentFailureUserAlreadyEnrolled,
            explanation:
                "enrollment.push_mode is single_device, and “\(subject)” has push on the device \(clientID) already."
        )
    }
}

extension EnrollmentRefusal {
    /// What a description may hold. Source: RFC 6749 §5.2.
    private static func ascii(_ text: String) -> String {
        String(
            decoding: text.utf8.compactMap { byte -> UInt8? in
                let isAllowed =
                    0x20...0x7E ~= byte && byte != UInt8(ascii: "\"") && byte != UInt8(ascii: "\\")
                return isAllowed ? byte : nil
            }, as: UTF8.self)
    }
}
