import Essentials
import HTTP
import PlatformKit

/// Refusals between a user id and the secrets on a device.
enum RegistrationRefusal: MIRACLRefusal, Equatable {
    enum CodeFault: Equatable {
        case unknown
        case spent
        case expired(Date)
        case ofAnother(String)
    }

    case userNotAllowed(String)
    case userIDMalformed(String)
    case activationCode(CodeFault)
    /// The same for clients of the third generation.
    case activationToken(CodeFault)
    case activationTokenMisshapen
    case identityUnknown(String)
    case regOTTWrong(isRestart: Bool)
    case notVerified(userID: String)
    case registrationOver(Identity.State)
    case registrationExpired(Date)
    case publicKey(MPinError)
    case ticketUnknown
    case ticketExpired(Date)
    /// The same for the classic client.
    case classicTicket(isExpired: Bool)

    /// Source: Milagro MFA SDK core for what it makes of each status; trust-sdk-android for the codes.
    var wire: MIRACLWire {
        switch self {
        case .userNotAllowed: MIRACLWire(.forbidden, "FORBIDDEN", "The user is not allowed to register")
        // Some clients of the third generation register as those of the second do, and look for this code.
        case .activationCode, .activationToken:
            MIRACLWire(.forbidden, "INVALID_ACTIVATION_TOKEN", "Invalid activation token")
        case .userIDMalformed:
            MIRACLWire(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": "userId"])
        case .activationTokenMisshapen:
            MIRACLWire(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters",
                ["params": "activationToken"])
        case .identityUnknown, .registrationOver, .registrationExpired:
            MIRACLWire(.notFound, "REGISTRATION_EXPIRED", "The registration has expired")
        case .regOTTWrong(let isRestart):
            isRestart
                ? MIRACLWire(.forbidden, "FORBIDDEN", "Invalid regOTT")
                : MIRACLWire(.unauthorized, "UNAUTHORIZED", "Invalid regOTT")
        case .notVerified:
            MIRACLWire(.unauthorized, "IDENTITY_NOT_VERIFIED", "The identity is not verified")
        case .publicKey:
            MIRACLWire(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters",
                ["params": "publicKey"])
        case .ticketUnknown, .ticketExpired: MIRACLWire(.notFound, "NOT_FOUND", "Not found")
        case .classicTicket: MIRACLWire(.requestTimeout, "REQUEST_EXPIRED", "The request has expired")
        }
    }

    var explanation: String {
        switch self {
        case .userNotAllowed(let userID):
            "The user \(userID.prefix(80)) may not register: allowed_users of the project in the fixtures names neither the id nor its "
                + "domain."
        case .userIDMalformed(let userID):
            "The user id \"\(userID.prefix(80))\" is no mail address; identity_type of the project is email. With alphanumeric every id "
                + "is taken."
        case .activationCode(let fault):
            "The member activateCode is no registration code or activation token that is good: \(fault.words)"
        case .activationToken(let fault): "The activation token is not good: \(fault.words)"
        case .activationTokenMisshapen:
            "The member activationToken is no activation token: one has 32 hexadecimal digits (actToken of a confirmation), a "
                + "registration code has six digits."
        case .identityUnknown(let id):
            id.mpinIDFault
                ?? "No registration has the M-Pin id \(id.prefix(24))…. The server was reset since, or this is another world."
        case .regOTTWrong:
            "The regOTT is not the one that the registration of this M-Pin id was answered with. After «resend» the app has "
                + "a new one."
        case .notVerified(let userID):
            "The user \(userID) has not confirmed yet: the link or code is in the outbox. force_activation in the project's fixtures "
                + "takes every registration as confirmed."
        case .registrationOver(let state):
            "The identity is \(state.rawValue): shares are handed out until its first good proof, not after."
        case .registrationExpired(let at):
            "The registration expired at \(at.text); lifetimes.registration of the project's fixtures says how long one lives."
        case .publicKey(let error): error.explanation
        case .ticketUnknown:
            "No share waits under this URL. It is good for a minute after it was handed out, and belongs to one identity."
        case .ticketExpired(let at):
            "The URL of the share expired at \(at.text); lifetimes.ticket of the project's fixtures says how long it lives."
        case .classicTicket(let isExpired):
            isExpired
                ? "The parameters for the second share have expired; lifetimes.ticket says how long they live."
                : "Nobody was handed these parameters for a second share: they stand in \"params\" beside the first one."
        }
    }
}

extension RegistrationRefusal.CodeFault {
    var words: String {
        switch self {
        case .unknown: "nobody was given it."
        case .spent: "it was used already, or too many wrong ones came."
        case .expired(let at): "it expired at \(at.text)."
        case .ofAnother(let userID): "it is for \(userID)."
        }
    }
}

extension Date {
    /// For sentences.
    var text: String { Timestamp.text(self) }
}
