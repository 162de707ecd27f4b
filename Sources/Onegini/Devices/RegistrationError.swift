import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the registration and the validation of a device.
enum RegistrationError: AuditedRefusal, Equatable {
    case requestInvalid(String)
    /// - Parameter known: what is configured under the nearest name that fits, for the sentence.
    case versionUnknown(String, known: String)
    case registrationDisabled(version: String, status: ApplicationVersion.Status)
    /// - Parameter isValidation: of a device that is registered.
    case osVersionBlocked(fault: String, isValidation: Bool)
    case identifierUnknown(String)
    case identifierExpired(String, seconds: Int)
    case responseWrong(mistake: String?, signatures: Int, left: Int)
    case clockOff(minutes: Int, now: Date)
    case versionDisabled(String)
}

extension RegistrationError {
    /// Source: the device protocol.
    var wire: OAuthWire {
        switch self {
        case .requestInvalid: .device(.badRequest, "invalid_request", "The request is malformed", 9008)
        case .versionUnknown:
            .device(.notFound, "unknown_app_version", "Application, platform or version is not known", 9008)
        case .registrationDisabled:
            .device(.forbidden, "registration_disabled", "This version may not register devices", 9004)
        case .osVersionBlocked:
            .device(
                .forbidden, "os_version_blocked", "The version of the operating system is not let in", 9005)
        case .identifierUnknown, .identifierExpired:
            .device(.badRequest, "invalid_registration", "The registration is not known", 9008)
        case .responseWrong:
            .device(.unauthorized, "invalid_ocra_response", "The response to the challenge is wrong", 10024)
        case .clockOff(_, let now):
            .device(
                .badRequest, "invalid_datetime", "The clock of the device is wrong", 9031,
                members: ["server_time": .integer(now.milliseconds)])
        case .versionDisabled:
            .device(.forbidden, "version_disabled", "This version of the application may not be used", 9004)
        }
    }

    var event: EventType? {
        switch self {
        case .requestInvalid: .dynamicRegInvalidRequest
        case .versionUnknown: .dynamicRegPlatformVersionUnknown
        case .registrationDisabled(_, .disabled): .dynamicRegVersionDisabled
        case .registrationDisabled: .dynamicRegNewRegistrationsDisabled
        case .osVersionBlocked(_, let isValidation):
            isValidation ? .clientValidationOsVersionInvalid : .dynamicRegOsVersionInvalid
        case .identifierUnknown, .identifierExpired, .clockOff: .dynamicRegFailed
        case .responseWrong: .dynamicRegFailedInvalidResponse
        case .versionDisabled: .clientValidationVersionDisabled
        }
    }

    var explanation: String {
        switch self {
        case .requestInvalid(let reason): reason
        case .versionUnknown(let asked, let known): "Nothing is configured for \(asked). \(known)"
        case .registrationDisabled(let version, let status):
            "\(version) has the status \(status.rawValue): "
                + (status == .loginOnly
                    ? "devices that are registered may go on, new ones are refused."
                    : "it may not be used at all.")
        case .osVersionBlocked(let fault, _): "The operating system's version is not let in: \(fault)."
        case .identifierUnknown(let identifier):
            "No challenge waits under \"\(identifier.prefix(60))\". It was used, or dropped after "
                + "\(PendingRegistration.maxWrongResponses) wrong responses, or is of another world; ask for a new one."
        case .identifierExpired(let identifier, let seconds):
            "The challenge \(identifier) expired \(seconds) s ago; it was good for "
                + "\(PendingRegistration.lifetimeSeconds) s of the world's clock."
        case .responseWrong(let mistake, let signatures, let left):
            Self.sentence(mistake, signatures) + Self.sentence(left: left)
        case .clockOff(let minutes, _):
            "The response fits a configured signature at another time: the clock of the device is \(abs(minutes)) "
                + "minutes \(minutes > 0 ? "ahead of" : "behind") the world's, and "
                + "\(RegistrationResponse.tolerance) are allowed."
        case .versionDisabled(let version):
            "\(version) has the status DISABLED: its users have to update the app."
        }
    }

    private static func sentence(_ mistake: String?, _ signatures: Int) -> String {
        if let mistake { return "The response is wrong, and the reason could be found: \(mistake)." }
        if signatures == 0 {
            return "The version has no application signature, so no response can be right; configure "
                + "application_signatures, or integrity_check NONE."
        }
        return
            "The response fits none of the application_signatures that the version has in the fixtures (\(signatures)), at any "
            + "time within a day: the app was perhaps signed anew and has another one. Otherwise check the computation: "
            + "HMAC-SHA-256 by the SHA-256 of the signature over the suite's text, a zero byte, the challenge padded to 128 bytes, "
            + "and the minutes since 1970 in 8 bytes."
    }

    private static func sentence(left: Int) -> String {
        left > 0 ? " \(left) more tries for this challenge." : " The challenge is dropped now."
    }
}
