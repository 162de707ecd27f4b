import Essentials
import HTTP
import PlatformKit

/// Every refusal of the relying party of MIRACL.
enum MIRACLLoginError: Refusal, Equatable {
    case requestMalformed(String)
    /// What is missing, and what was expected around it.
    case memberMissing(String, in: String)
    /// The provider took the code, and the user is another one than the app says.
    case userDiffers(got: String, asked: String)
    /// The provider sent the browser back without a code.
    case denied(String)
    /// No login has the state with which a browser came back.
    case stateUnknown(isOfAnotherBrowser: Bool)
    case usedAlready
    case tokenWrong(String)
    case documentForeign(String)

    // What the provider answers.
    case codeRefused(String)
    case providerSilent(String)
    case providerConfused(String)

    /// The same, for people at a browser.
    indirect case onPage(MIRACLLoginError)

    /// Source: MIRACL's sample for iOS, which shows what stands in the body.
    var status: Status {
        switch self {
        case .requestMalformed, .memberMissing, .codeRefused, .denied, .stateUnknown, .usedAlready,
            .documentForeign:
            .badRequest
        case .userDiffers, .tokenWrong: .unauthorized
        case .providerSilent, .providerConfused: .badGateway
        case .onPage(let error): error.status
        }
    }

    /// What the user reads; the reasons are for the journal.
    var message: String {
        switch self {
        case .requestMalformed: "The request cannot be read."
        case .memberMissing(let name, _): "The request has no \(name)."
        case .userDiffers: "The code is not of this user."
        case .denied: "Nobody was signed in."
        case .stateUnknown: "There is no such login in this browser."
        case .usedAlready: "This login was used already."
        case .tokenWrong: "The token is not right."
        case .documentForeign: "This is not a document of ours."
        case .codeRefused: "The code is not good."
        case .providerSilent, .providerConfused: "MIRACL could not be used. Try again in a moment."
        case .onPage(let error): error.message
        }
    }

    var response: Response {
        if case .onPage = self { return PortalPage.notice(message, status: status) }
        var response = Response.text(message + "\n", status: status)
        response.headers["Cache-Control"] = "no-store"
        return response
    }

    var explanation: String {
        switch self {
        case .requestMalformed(let reason), .providerConfused(let reason): reason
        case .memberMissing(let name, let shape):
            "The request has no “\(name)”, or an empty one. Expected \(shape)."
        case .userDiffers(let got, let asked):
            "The code is of \(got), the app asked for \(asked.prefix(80)). The code is spent."
        case .denied(let reason): "MIRACL sent the browser back with \(reason)."
        case .stateUnknown(let isOfAnotherBrowser):
            isOfAnotherBrowser
                ? "The login began in another browser: the cookie miracl_login does not fit."
                : "No login has this state; fixtures were loaded or the world was reset since it began."
        case .usedAlready:
            "The login of this state, or of the ID token's nonce, has already come back; it works only once."
        case .tokenWrong(let reason): reason
        case .documentForeign(let reason): reason
        case .codeRefused(let reason): "The token endpoint refused the code: \(reason)."
        case .providerSilent(let reason):
            "MIRACL did not answer: \(reason). Check miracl_login.issuer in the fixtures, and that this machine can reach it."
        case .onPage(let error): error.explanation
        }
    }
}
