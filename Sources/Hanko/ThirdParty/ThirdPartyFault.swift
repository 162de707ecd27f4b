import PlatformKit

/// Why a sign-in with a provider ends. The browser takes ``code`` along to where it is sent.
enum ThirdPartyFault: Refusal, Equatable {
    case providerMissing
    case providerUnknown(String, known: [String])
    case providerDisabled(String, known: [String])
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
    /// The provider's page could not be found out.
    case pageUnknown(String)
    case exchangeFailed(String)
    case userDataMissing(String)
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
        case .providerMissing, .providerUnknown, .providerDisabled, .redirectMissing, .redirectRefused,
            .redirectTooLong, .verifierTooLong, .stateMissing, .stateUnknown, .stateExpired, .cookieWrong,
            .codeMissing, .pageUnknown, .exchangeFailed, .userDataMissing, .addressMissing,
            .identityTaken:
            "invalid_request"
        case .providerRefused(let code, _): code
        case .userConflict: "user_conflict"
        case .multipleAccounts: "multiple_accounts"
        case .addressUnverified: "unverified_email"
        case .tooManyAddresses: "email_maxnum"
        case .signupOff: "signup_disabled"
        }
    }

    /// `error_description`. Source: Hanko 2.7, the third-party endpoints and their tests; what they do not have is our own.
    var description: String {
        switch self {
        case .providerMissing: "code=400, message=Provider is a required field"
        case .providerUnknown(let name, _): "unknown provider: \(name.lowercased().prefix(60))"
        case .providerDisabled(let id, _):
            id.hasPrefix("custom_") ? "provider \(id) is disabled" : "\(id) provider is disabled"
        case .redirectMissing: "code=400, message=RedirectTo is a required field"
        case .redirectRefused(let url, _): "redirect to '\(url)' not allowed"
        case .redirectTooLong(let bytes): "redirect_to is too long: \(bytes) bytes"
        case .verifierTooLong(let bytes): "code_verifier is too long: \(bytes) characters"
        case .stateMissing: "State is a required field"
        case .stateUnknown: "could not decode state"
        case .stateExpired: "state is expired"
        case .cookieWrong(let came): came ? "could not verify state" : "expected state must not be empty"
        case .codeMissing: "auth code missing from request"
        case .providerRefused(_, let description): description
        case .pageUnknown(let reason): reason
        case .exchangeFailed: "could not exchange authorization code for access token"
        case .userDataMissing, .addressMissing: "could not retrieve user data from provider"
        case .userConflict: "third party account linking for existing user with same email disallowed"
        case .identityTaken: "identity already exists for a different user"
        case .multipleAccounts(let address, _):
            "cannot identify associated user: '\(address)' is used by multiple accounts"
        case .addressUnverified: "third party provider email must be verified"
        case .tooManyAddresses: "max number of email addresses reached"
        case .signupOff: "account signup is disabled"
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
        case .providerDisabled(let id, let known):
            "The provider \"\(id)\" is not enabled under config.third_party"
                + (known.isEmpty ? ", nor is any other." : ", only \(known.joined(separator: ", ")).")
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
        case .pageUnknown(let reason), .exchangeFailed(let reason), .userDataMissing(let reason): reason
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
