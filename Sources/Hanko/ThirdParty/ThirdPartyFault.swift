import PlatformKit

/// Why a sign-in with a provider ends. The browser takes ``code`` along to where it is sent.
enum ThirdPartyFault: Refusal, Equatable {
    case providerMissing
    case providerUnknown(String, known: [String])
    case redirectMissing
    case redirectRefused(String, allowed: [String])
    case redirectTooLong(bytes: Int)
    case verifierTooLong(bytes: Int)
    case stateMissing
    case stateUnknown
    case stateExpired(seconds: Int)
    case cookieWrong(came: Bool)
    case codeMissing
    case providerRefused(String, description: String)
    case exchangeFailed(String)
    case addressMissing
    case userConflict(String, userID: String)
    case identityTaken(userID: String)
    case multipleAccounts(String, userID: String)
    case addressUnverified(String)
    case tooManyAddresses(limit: Int)
    case signupOff

    /// Source: Hanko 2.7, error codes of the third-party endpoints.
    var code: String {
        switch self {
        case .providerMissing, .providerUnknown, .redirectMissing, .redirectRefused,
            .redirectTooLong, .verifierTooLong, .stateMissing, .stateUnknown, .stateExpired, .cookieWrong,
            .codeMissing:
            "invalid_request"
        case .providerRefused(let code, _): code
        case .exchangeFailed, .addressMissing: "server_error"
        case .userConflict, .identityTaken: "user_conflict"
        case .multipleAccounts: "multiple_accounts"
        case .addressUnverified: "unverified_email"
        case .tooManyAddresses: "email_maxnum"
        case .signupOff: "signup_disabled"
        }
    }

    /// `error_description`. Our own faults say nothing of their cause.
    var description: String {
        switch self {
        case .providerRefused(_, let description): description
        case .exchangeFailed, .addressMissing: "an internal error has occurred"
        default: "The sign-in was refused: \(code.replacing("_", with: " "))."
        }
    }

    var explanation: String {
        switch self {
        case .providerMissing: "Expected the parameter \"provider\"."
        case .providerUnknown(let name, let known):
            "There is no provider \"\(name.prefix(60))\""
                + (known.isEmpty
                    ? "; none is enabled under config.third_party."
                    : ", only \(known.joined(separator: ", ")).")
        case .redirectMissing: "Expected the parameter \"redirect_to\"."
        case .redirectRefused(let url, let allowed):
            "No browser is sent to \"\(url.prefix(200))\": config.third_party.allowed_redirect_urls "
                + (allowed.isEmpty ? "is empty." : "has \(allowed.joined(separator: ", ")).")
        case .redirectTooLong(let bytes):
            "Expected at most \(ThirdPartyState.redirectLimit) bytes in \"redirect_to\", a limit of ours, found \(bytes)."
        case .verifierTooLong(let bytes):
            "Expected at most \(ThirdPartyState.verifierLimit) characters in \"code_verifier\" (RFC 7636 §4.1), found \(bytes)."
        case .stateMissing: "Expected the parameter \"state\", which this server sent to the provider."
        case .stateUnknown:
            "The state is none of a sign-in that is under way: used already, or of another world."
        case .stateExpired(let seconds):
            "The state expired \(seconds) s ago; a sign-in may take \(Int(ThirdPartyState.lifespanSeconds)) s."
        case .cookieWrong(let came):
            came
                ? "The cookie hanko_thirdparty_state belongs to another sign-in than the state."
                : "The cookie hanko_thirdparty_state did not come back: the browser that returns must be the one that left, "
                    + "at the same host name."
        case .codeMissing: "Expected the parameter \"code\" from the provider."
        case .providerRefused(let code, let description):
            "The provider answered \(code.prefix(60))\(description.isEmpty ? "" : ": \(description.prefix(200))")."
        case .exchangeFailed(let reason): reason
        case .addressMissing: "The provider tells no \"email\", without which nobody is signed up here."
        case .userConflict(let address, let userID):
            "The address \(address) belongs to the user \(userID), and the provider may not be linked: "
                + "\"allow_linking\" is false."
        case .identityTaken(let userID): "The account at the provider belongs to the user \(userID) already."
        case .multipleAccounts(let address, let userID):
            "The provider's address became \(address), which belongs to another user, \(userID)."
        case .addressUnverified(let address):
            "The provider has not verified \(address), and config.email.require_verification is true."
        case .tooManyAddresses(let limit):
            "The user has \(limit) addresses, all that config.email.limit allows."
        case .signupOff: "Nobody can register while account.allow_signup is false."
        }
    }
}
