import Essentials
import HTTP
import OpenID
import PlatformKit

/// Refusals of the registration and the validation of a device.
typealias DeviceRegistrationRefusal = SubjectRefusal<PendingRegistration, EventType>

extension DeviceRegistrationRefusal {
    static func requestInvalid(_ reason: String) -> Self {
        Self(
            .device(.badRequest, "invalid_request", "The request is malformed", 9008),
            event: .dynamicRegInvalidRequest,
            explanation: reason)
    }

    /// - Parameter known: what is configured under the nearest name that fits, for the sentence.
    static func versionUnknown(_ asked: String, known: String) -> Self {
        Self(
            .device(.notFound, "unknown_app_version", "Application, platform or version is not known", 9008),
            event: .dynamicRegPlatformVersionUnknown,
            explanation: "Nothing is configured for \(asked). \(known)")
    }

    static func registrationDisabled(version: String, status: ApplicationVersion.Status) -> Self {
        Self(
            .device(.forbidden, "registration_disabled", "This version may not register devices", 9004),
            event: status == .disabled ? .dynamicRegVersionDisabled : .dynamicRegNewRegistrationsDisabled,
            explanation: "\(version) has the status \(status.rawValue): "
                + (status == .loginOnly
                    ? "devices that are registered may go on, new ones are refused."
                    : "it may not be used at all."))
    }

    /// - Parameter isValidation: of a device that is registered.
    static func osVersionBlocked(fault: String, isValidation: Bool) -> Self {
        Self(
            .device(
                .forbidden, "os_version_blocked", "The version of the operating system is not let in", 9005),
            event: isValidation ? .clientValidationOsVersionInvalid : .dynamicRegOsVersionInvalid,
            explanation: "The operating system's version is not let in: \(fault).")
    }

    static func identifierUnknown(_ identifier: String) -> Self {
        Self(
            .device(.badRequest, "invalid_registration", "The registration is not known", 9008),
            event: .dynamicRegFailed,
            explanation:
                "No challenge waits under “\(identifier.prefix(60))”. It was used, or dropped after "
                + "\(PendingRegistration.maxWrongResponses) wrong responses, or is of another world; ask for a new one."
        )
    }

    static func identifierExpired(_ identifier: String, seconds: Int) -> Self {
        Self(
            .device(.badRequest, "invalid_registration", "The registration is not known", 9008),
            event: .dynamicRegFailed,
            explanation: "The challenge \(identifier) expired \(seconds) s ago; it was valid for "
                + "\(PendingRegistration.lifetimeSeconds) s of the world's clock.")
    }

    static func responseWrong(mistake: String?, signatures: Int, left: Int) -> Self {
        Self(
            .device(.unauthorized, "invalid_ocra_response", "The response to the challenge is wrong", 10024),
            event: .dynamicRegFailedInvalidResponse,
            explanation: Self.sentence(mistake, signatures) + Self.sentence(left: left))
    }

    static func clockOff(minutes: Int, now: Date) -> Self {
        Self(
            .device(
                .badRequest, "invalid_datetime", "The clock of the device is wrong", 9031,
                members: ["server_time": .integer(now.unixMilliseconds)]), event: .dynamicRegFailed,
            explanation:
                "The response fits a configured signature at another time: the clock of the device is \(abs(minutes)) "
                + "minutes \(minutes > 0 ? "ahead of" : "behind") the world's, and "
                + "\(RegistrationResponse.tolerance) are allowed.")
    }

    static func versionDisabled(_ version: String) -> Self {
        Self(
            .device(.forbidden, "version_disabled", "This version of the application may not be used", 9004),
            event: .clientValidationVersionDisabled,
            explanation: "\(version) has the status DISABLED: its users have to update the app.")
    }
}

extension DeviceRegistrationRefusal {
    private static func sentence(_ mistake: String?, _ signatures: Int) -> String {
        if let mistake { return "The response is wrong, and the reason could be found: \(mistake)." }
        if signatures == 0 {
            return "The version has no application signature, so no response can be right; configure "
                + "application_signatures, or integrity_check NONE."
        }
        return
            "The response fits none of the application_signatures that the version has in the fixtures (\(signatures)), at any "
            + "time within a day: perhaps the app was signed again and has another one. Otherwise check the computation: "
            + "HMAC-SHA-256 by the SHA-256 of the signature over the suite's text, a zero byte, the challenge padded to 128 bytes, "
            + "and the minutes since 1970 in 8 bytes."
    }

    private static func sentence(left: Int) -> String {
        left > 0
            ? " \(left) more \(left == 1 ? "try" : "tries") for this challenge."
            : " The challenge is dropped now."
    }
}
