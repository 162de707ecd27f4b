import Essentials
import HTTP
import OpenID
import PlatformKit

/// Why a device may not read or answer a transaction, besides who it is (``DeviceError``).
///
/// Source: the device protocol, in the order of its checks.
enum HandlingError: OAuthRefusal, Equatable {
    /// 4: what is wrong with the text, a sentence.
    case notHandleable(String)
    /// 5
    case disabled
    /// 6
    case transactionUnknown(String)
    case expired(String, secondsAgo: Int)
    case finished(String, MobileTransactionState)
    /// The device handles one kind at this path.
    case otherMethod(String, MobileMethod, expected: String)
    /// 7
    case codeWrong(String, attempt: Int, limit: Int)
    /// 8
    case disenrolled(String)
    case notEnrolled(String)
    case keyUnusable(String, OpenPGPError)
    /// 9
    case alreadyFetched(String)
    case fetchedElsewhere(String)
    /// A push for somebody else.
    case forAnother(String)
    /// 10
    case alreadyAnswered(String, MobileTransactionState)
    case notFetched(String)
    /// 11: which check, a sentence.
    case answerUnreadable(String)
    case answerInvalid(String)
    /// The world's fixtures bring none.
    case serverKeyMissing
}

extension HandlingError {
    var wire: OAuthWire {
        switch self {
        case .notHandleable, .otherMethod:
            .device(.badRequest, "not_handleable", "The request cannot be handled", 10018)
        case .disabled:
            .device(.notFound, "mobile_auth_disabled", "Mobile authentication is disabled", 9017)
        case .transactionUnknown, .expired, .finished, .codeWrong, .fetchedElsewhere, .forAnother,
            .notFetched:
            .device(.notFound, "not_found", "There is no such mobile authentication request", 10013)
        case .disenrolled:
            .device(
                .forbidden, "user_disenrolled", "The user was disenrolled for mobile authentication", 9020)
        case .notEnrolled, .keyUnusable:
            .device(.forbidden, "not_enrolled", "The user is not enrolled for mobile authentication", 9021)
        case .alreadyFetched, .alreadyAnswered:
            .device(.conflict, "already_handled", "The request is handled already", 9029)
        case .answerUnreadable, .answerInvalid:
            .device(.badRequest, "invalid_answer", "The answer is not valid", 10015)
        case .serverKeyMissing: OAuthWire(.internalServerError, "server_error")
        }
    }

    /// Name of the audit event; nil where the catalogue has none.
    var fetchEvent: EventType? {
        switch self {
        case .transactionUnknown, .finished, .forAnother, .otherMethod:
            .mobileAuthFetchFailedInvalidTransaction
        case .expired: .mobileAuthFetchFailedTransactionExpired
        case .codeWrong: .otpAuthNotAuthenticatedInvalidOtp
        case .disenrolled, .notEnrolled, .keyUnusable: .mobileAuthFetchFailedNoUserClientKeys
        case .alreadyFetched, .fetchedElsewhere: .mobileAuthFetchFailedTransactionAlreadyFetched
        default: nil
        }
    }

    var answerEvent: EventType? {
        switch self {
        case .transactionUnknown, .otherMethod, .forAnother: .pushAuthNotAuthenticatedInvalidTransaction
        case .expired: .pushAuthNotAuthenticatedTransactionExpired
        case .disenrolled, .notEnrolled, .keyUnusable: .pushAuthNotAuthenticatedNoUserClientKeys
        case .alreadyAnswered, .notFetched, .finished, .fetchedElsewhere:
            .pushAuthNotAuthenticatedInvalidState
        case .answerUnreadable: .pushAuthNotAuthenticatedFailedToDecryptMessage
        case .answerInvalid: .mobileAuthNotAuthenticated
        default: nil
        }
    }
}
