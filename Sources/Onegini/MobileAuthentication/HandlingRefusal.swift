import Essentials
import HTTP
import OpenID
import PlatformKit

/// Why a device may not read or answer a transaction, besides who it is (``DeviceCallRefusal``).
///
/// Source: the device protocol, in the order of its checks.
typealias HandlingRefusal = SubjectRefusal<MobileTransaction, HandlingEvents>

/// What the audit log hears when a fetch or an answer is refused; nil where the catalogue has no name for it.
struct HandlingEvents: Sendable, Equatable {
    var fetch: EventType?
    var answer: EventType?
}

extension HandlingRefusal {
    /// 4: what is wrong with the text, a sentence.
    static func notHandleable(_ reason: String) -> Self {
        Self(
            .notHandleable,
            explanation: reason)
    }

    /// 5
    static var disabled: Self {
        Self(
            .device(.notFound, "mobile_auth_disabled", "Mobile authentication is disabled", 9017),
            explanation:
                "Mobile authentication is switched off in this world: onegini.mobile_authentication.enabled is false."
        )
    }

    /// 6
    static func transactionUnknown(_ id: String) -> Self {
        Self(
            .missing,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedInvalidTransaction,
                answer: .pushAuthNotAuthenticatedInvalidTransaction),
            explanation:
                "There is no transaction “\(id.prefix(60))” in this world; it may be of another one, or ended more than a "
                + "day ago.")
    }

    static func expired(_ id: String, secondsAgo seconds: Int) -> Self {
        Self(
            .missing,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedTransactionExpired,
                answer: .pushAuthNotAuthenticatedTransactionExpired),
            explanation:
                "The transaction \(id) expired \(seconds) s ago, by the world's clock. The portal has to start a new one."
        )
    }

    static func finished(_ id: String, _ state: MobileTransactionState) -> Self {
        Self(
            .missing,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedInvalidTransaction, answer: .pushAuthNotAuthenticatedInvalidState
            ),
            explanation: "The transaction \(id) is \(state.rawValue); nothing can be fetched of it any more.")
    }

    /// The device handles one kind at this path.
    static func otherMethod(_ id: String, _ method: MobileMethod, expected: String) -> Self {
        Self(
            .notHandleable,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedInvalidTransaction,
                answer: .pushAuthNotAuthenticatedInvalidTransaction),
            explanation:
                "The transaction \(id) is of method \(method.rawValue), and this path is for \(expected).")
    }

    /// 7
    static func codeWrong(_ id: String, attempt: Int, limit: Int) -> Self {
        Self(
            .missing, event: HandlingEvents(fetch: .otpAuthNotAuthenticatedInvalidOtp),
            explanation: "The OTP code is not the one of transaction \(id): wrong code \(attempt) of \(limit)"
                + (attempt >= limit
                    ? ", with which the transaction has failed and its portal is told."
                    : "; the transaction stays open. The QR code may have been read wrongly."))
    }

    /// 8
    static func disenrolled(_ profile: String) -> Self {
        Self(
            .device(
                .forbidden, "user_disenrolled", "The user was disenrolled for mobile authentication", 9020),
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedNoUserClientKeys,
                answer: .pushAuthNotAuthenticatedNoUserClientKeys),
            explanation:
                "The enrollment of profile \(profile) was revoked on the server. The device hears it this once, drops its keys "
                + "and enrolls again; from now on the answer is not_enrolled.")
    }

    static func notEnrolled(_ profile: String) -> Self {
        Self(
            .notEnrolled,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedNoUserClientKeys,
                answer: .pushAuthNotAuthenticatedNoUserClientKeys),
            explanation:
                "The profile \(profile) is not enrolled for mobile authentication on this device: POST "
                + "/sdk/v1/mobile-auth/enroll with its public key first.")
    }

    static func keyUnusable(_ profile: String, _ fault: DeviceCertificate.Fault) -> Self {
        Self(
            .notEnrolled,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedNoUserClientKeys,
                answer: .pushAuthNotAuthenticatedNoUserClientKeys),
            explanation:
                "The certificate with which profile \(profile) enrolled cannot be used now: \(fault.explanation)"
        )
    }

    /// 9
    static func alreadyFetched(_ id: String) -> Self {
        Self(
            .alreadyHandled, event: HandlingEvents(fetch: .mobileAuthFetchFailedTransactionAlreadyFetched),
            explanation:
                "This device has fetched the transaction \(id) already, and a message is handed out once. If the app lost it, "
                + "the transaction can only expire.")
    }

    static func fetchedElsewhere(_ id: String) -> Self {
        Self(
            .missing,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedTransactionAlreadyFetched,
                answer: .pushAuthNotAuthenticatedInvalidState),
            explanation:
                "Another device or profile has fetched the transaction \(id); it alone may handle it.")
    }

    /// A push for somebody else.
    static func forAnother(_ id: String) -> Self {
        Self(
            .missing,
            event: HandlingEvents(
                fetch: .mobileAuthFetchFailedInvalidTransaction,
                answer: .pushAuthNotAuthenticatedInvalidTransaction),
            explanation: "The transaction \(id) was sent to another device or profile.")
    }

    /// 10
    static func alreadyAnswered(_ id: String, _ state: MobileTransactionState) -> Self {
        Self(
            .alreadyHandled, event: HandlingEvents(answer: .pushAuthNotAuthenticatedInvalidState),
            explanation: "The transaction \(id) has its result already: it is \(state.rawValue).")
    }

    static func notFetched(_ id: String) -> Self {
        Self(
            .missing, event: HandlingEvents(answer: .pushAuthNotAuthenticatedInvalidState),
            explanation:
                "The transaction \(id) has not been fetched by anybody; an answer needs the challenge in its message."
        )
    }

    /// 11: which check, a sentence.
    static func answerUnreadable(_ reason: String) -> Self {
        Self(
            .invalidAnswer, event: HandlingEvents(answer: .pushAuthNotAuthenticatedFailedToDecryptMessage),
            explanation: reason)
    }

    static func answerInvalid(_ reason: String) -> Self {
        Self(
            .invalidAnswer, event: HandlingEvents(answer: .mobileAuthNotAuthenticated),
            explanation: reason)
    }

    /// The world's fixtures bring none.
    static var serverKeyMissing: Self {
        Self(
            OAuthWire(.internalServerError, "server_error"),
            explanation:
                "The device is enrolled, but the fixtures bring no OpenPGP key of the server any more; add one as onegini.pgp."
        )
    }
}

extension OAuthWire {
    fileprivate static let missing = device(
        .notFound, "not_found", "There is no such mobile authentication request", 10013)
    fileprivate static let notHandleable = device(
        .badRequest, "not_handleable", "The request cannot be handled", 10018)
    fileprivate static let notEnrolled = device(
        .forbidden, "not_enrolled", "The user is not enrolled for mobile authentication", 9021)
    fileprivate static let alreadyHandled = device(
        .conflict, "already_handled", "The request is handled already", 9029)
    fileprivate static let invalidAnswer = device(
        .badRequest, "invalid_answer", "The answer is not valid", 10015)
}
