import Essentials
import HTTP
import PlatformKit

/// Refusals between a user id and the secrets on a device.
///
/// Source: Milagro MFA SDK core for what it makes of each status; trust-sdk-android for the codes.
struct RegistrationRefusal: MIRACLRefusal, Equatable {
    enum CodeFault: Equatable {
        case unknown
        case spent
        case expired(Date)
        case ofAnother(String)
    }

    let wire: MIRACLWire
    let explanation: String
}

extension RegistrationRefusal {
    static func userNotAllowed(_ userID: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "The user is not allowed to register"),
            explanation:
                "The user \(userID.prefix(80)) may not register: allowed_users of the project in the fixtures names neither the id nor its "
                + "domain.")
    }

    static func userIDMalformed(_ userID: String) -> Self {
        Self(
            wire: .parameter("userId"),
            explanation:
                "The user id “\(userID.prefix(80))” is not an email address; identity_type of the project is email. With alphanumeric every id "
                + "is taken.")
    }

    static func activationCode(_ fault: CodeFault) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "INVALID_ACTIVATION_TOKEN", "Invalid activation token"),
            explanation:
                "The member activateCode is not a valid registration code or activation token: \(fault.words)"
        )
    }

    /// The same for clients of the third generation.
    static func activationToken(_ fault: CodeFault) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "INVALID_ACTIVATION_TOKEN", "Invalid activation token"),
            explanation: "The activation token is not good: \(fault.words)")
    }

    static var activationTokenMisshapen: Self {
        Self(
            wire: .parameter("activationToken"),
            explanation:
                "The member activationToken is not an activation token: one has 32 hexadecimal digits (actToken of a confirmation), a "
                + "registration code has six digits.")
    }

    static func identityUnknown(_ id: String) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "REGISTRATION_EXPIRED", "The registration has expired"),
            explanation: id.mpinIDFault
                ?? "No registration has the M-Pin id \(id.prefix(24))…. The server was reset since, or this is another world."
        )
    }

    static func regOTTWrong(isRestart: Bool) -> Self {
        Self(
            wire: isRestart
                ? MIRACLWire(.forbidden, "FORBIDDEN", "Invalid regOTT")
                : MIRACLWire(.unauthorized, "UNAUTHORIZED", "Invalid regOTT"),
            explanation:
                "The regOTT is not the one that the registration of this M-Pin id was answered with. After “resend” the app has "
                + "a new one.")
    }

    static func notVerified(userID: String) -> Self {
        Self(
            wire: MIRACLWire(.unauthorized, "IDENTITY_NOT_VERIFIED", "The identity is not verified"),
            explanation:
                "The user \(userID) has not confirmed yet: the link or code is in the outbox. force_activation in the project's fixtures "
                + "takes every registration as confirmed.")
    }

    static func registrationOver(_ state: Identity.State) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "REGISTRATION_EXPIRED", "The registration has expired"),
            explanation:
                "The identity is \(state.rawValue): shares are handed out until its first good proof, not after."
        )
    }

    static func registrationExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "REGISTRATION_EXPIRED", "The registration has expired"),
            explanation:
                "The registration expired at \(at.text); lifetimes.registration of the project's fixtures says how long one lives."
        )
    }

    static func publicKey(_ error: MPinError) -> Self {
        Self(
            wire: .parameter("publicKey"),
            explanation: error.explanation)
    }

    static var ticketUnknown: Self {
        Self(
            wire: MIRACLWire(.notFound, "NOT_FOUND", "Not found"),
            explanation:
                "There is no share at this URL. It is valid for a minute after it was issued, and belongs to one identity."
        )
    }

    static func ticketExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "NOT_FOUND", "Not found"),
            explanation:
                "The URL of the share expired at \(at.text); lifetimes.ticket of the project's fixtures says how long it lives."
        )
    }

    /// The same for the classic client.
    static func classicTicket(isExpired: Bool) -> Self {
        Self(
            wire: MIRACLWire(.requestTimeout, "REQUEST_EXPIRED", "The request has expired"),
            explanation: isExpired
                ? "The parameters for the second share have expired; lifetimes.ticket says how long they live."
                : "These parameters for a second share were never issued: they come as “params” with the first one."
        )
    }
}

extension RegistrationRefusal.CodeFault {
    var words: String {
        switch self {
        case .unknown: "it was never issued."
        case .spent: "it was already used, or there were too many wrong ones."
        case .expired(let at): "it expired at \(at.text)."
        case .ofAnother(let userID): "it is for \(userID)."
        }
    }
}

extension Date {
    /// For sentences.
    var text: String { Timestamp.text(self) }
}
