import Essentials
import HTTP
import OpenID
import PlatformKit

/// Why a device may not read or answer a transaction, besides who it is (``DeviceCallRefusal``).
///
/// Source: the device protocol, in the order of its checks.
struct HandlingRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String
    /// Name of the audit event; nil where the catalogue has none.
    let fetchEvent: EventType?
    let answerEvent: EventType?

    private init(_ wire: OAuthWire, _ explanation: String, fetch: EventType? = nil, answer: EventType? = nil)
    {
        (self.wire, self.explanation) = (wire, explanation)
        (fetchEvent, answerEvent) = (fetch, answer)
    }
}

extension HandlingRefusal {
    private static let missing = OAuthWire.device(
        .notFound, "not_found", "There is no such mobile authentication request", 10013)

    /// 4: what is wrong with the text, a sentence.
    static func notHandleable(_ reason: String) -> Self {
        Self(
            .device(.badRequest, "not_handleable", "The request cannot be handled", 10018),
            reason)
    }

    /// 5
    static var disabled: Self {
        Self(
            .device(.notFound, "mobile_auth_disabled", "Mobile authentication is disabled", 9017),
            "Mobile authentication is switched off in this world: onegini.mobile_authentication.enabled is false."
        )
    }

    /// 6
    static func transactionUnknown(_ id: String) -> Self {
        Self(
            missing,
            "There is no transaction \"\(id.prefix(60))\" in this world; it may be of another one, or ended more than a "
                + "day ago.",
            fetch: .mobileAuthFetchFailedInvalidTransaction,
            answer: .pushAuthNotAuthenticatedInvalidTransaction)
    }

    static func expired(_ id: String, secondsAgo seconds: Int) -> Self {
        Self(
            missing,
            "The transaction \(id) expired \(seconds) s ago, by the world's clock. The portal has to start a new one.",
            fetch: .mobileAuthFetchFailedTransactionExpired,
            answer: .pushAuthNotAuthenticatedTransactionExpired)
    }

    static func finished(_ id: String, _ state: MobileTransactionState) -> Self {
        Self(
            missing,
            "The transaction \(id) is \(state.rawValue); nothing can be fetched of it any more.",
            fetch: .mobileAuthFetchFailedInvalidTransaction,
            answer: .pushAuthNotAuthenticatedInvalidState)
    }

    /// The device handles one kind at this path.
    static func otherMethod(_ id: String, _ method: MobileMethod, expected: String) -> Self {
        Self(
            .device(.badRequest, "not_handleable", "The request cannot be handled", 10018),
            "The transaction \(id) is of method \(method.rawValue), and this path is for \(expected).",
            fetch: .mobileAuthFetchFailedInvalidTransaction,
            answer: .pushAuthNotAuthenticatedInvalidTransaction)
    }

    /// 7
    static func codeWrong(_ id: String, attempt: Int, limit: Int) -> Self {
        Self(
            missing,
            "The OTP code is not the one of transaction \(id): wrong code \(attempt) of \(limit)"
                + (attempt >= limit
                    ? ", with which the transaction has failed and its portal is told."
                    : "; the transaction stays open. The QR code may have been read wrongly."),
            fetch: .otpAuthNotAuthenticatedInvalidOtp)
    }

    /// 8
    static func disenrolled(_ profile: String) -> Self {
        Self(
            .device(
                .forbidden, "user_disenrolled", "The user was disenrolled for mobile authentication", 9020),
            "The enrollment of profile \(profile) was revoked on the server. The device hears it this once, drops its keys "
                + "and enrolls again; from now on the answer is not_enrolled.",
            fetch: .mobileAuthFetchFailedNoUserClientKeys,
            answer: .pushAuthNotAuthenticatedNoUserClientKeys)
    }

    static func notEnrolled(_ profile: String) -> Self {
        Self(
            .device(.forbidden, "not_enrolled", "The user is not enrolled for mobile authentication", 9021),
            "The profile \(profile) is not enrolled for mobile authentication on this device: POST "
                + "/sdk/v1/mobile-auth/enroll with its public key first.",
            fetch: .mobileAuthFetchFailedNoUserClientKeys,
            answer: .pushAuthNotAuthenticatedNoUserClientKeys)
    }

    static func keyUnusable(_ profile: String, _ error: OpenPGPError) -> Self {
        Self(
            .device(.forbidden, "not_enrolled", "The user is not enrolled for mobile authentication", 9021),
            "The certificate with which profile \(profile) enrolled cannot be used now: \(error.explanation)",
            fetch: .mobileAuthFetchFailedNoUserClientKeys,
            answer: .pushAuthNotAuthenticatedNoUserClientKeys)
    }

    /// 9
    static func alreadyFetched(_ id: String) -> Self {
        Self(
            .device(.conflict, "already_handled", "The request is handled already", 9029),
            "This device has fetched the transaction \(id) already, and a message is handed out once. If the app lost it, "
                + "the transaction can only expire.",
            fetch: .mobileAuthFetchFailedTransactionAlreadyFetched)
    }

    static func fetchedElsewhere(_ id: String) -> Self {
        Self(
            missing,
            "Another device or profile has fetched the transaction \(id); it alone may handle it.",
            fetch: .mobileAuthFetchFailedTransactionAlreadyFetched,
            answer: .pushAuthNotAuthenticatedInvalidState)
    }

    /// A push for somebody else.
    static func forAnother(_ id: String) -> Self {
        Self(
            missing,
            "The transaction \(id) was sent to another device or profile.",
            fetch: .mobileAuthFetchFailedInvalidTransaction,
            answer: .pushAuthNotAuthenticatedInvalidTransaction)
    }

    /// 10
    static func alreadyAnswered(_ id: String, _ state: MobileTransactionState) -> Self {
        Self(
            .device(.conflict, "already_handled", "The request is handled already", 9029),
            "The transaction \(id) has its result already: it is \(state.rawValue).",
            answer: .pushAuthNotAuthenticatedInvalidState)
    }

    static func notFetched(_ id: String) -> Self {
        Self(
            missing,
            "The transaction \(id) has not been fetched by anybody; an answer needs the challenge in its message.",
            answer: .pushAuthNotAuthenticatedInvalidState)
    }

    /// 11: which check, a sentence.
    static func answerUnreadable(_ reason: String) -> Self {
        Self(
            .device(.badRequest, "invalid_answer", "The answer is not valid", 10015),
            reason,
            answer: .pushAuthNotAuthenticatedFailedToDecryptMessage)
    }

    static func answerInvalid(_ reason: String) -> Self {
        Self(
            .device(.badRequest, "invalid_answer", "The answer is not valid", 10015),
            reason,
            answer: .mobileAuthNotAuthenticated)
    }

    /// The world's fixtures bring none.
    static var serverKeyMissing: Self {
        Self(
            OAuthWire(.internalServerError, "server_error"),
            "The device is enrolled, but the fixtures bring no OpenPGP key of the server any more; add one as onegini.pgp."
        )
    }
}
