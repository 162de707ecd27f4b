import Essentials
import HTTP
import PlatformKit

/// Refusals where a user proves to be the owner of an id.
enum VerificationRefusal: MIRACLRefusal, Equatable {
    case backoff(until: Date)
    /// The customer verifies its users itself.
    case mailsOff(projectID: String)
    case codeRefused(RegistrationRefusal.CodeFault, projectID: String, accessID: String, isPage: Bool)
    case linkIncomplete(String)
    /// Why the proof of a device is none.
    case jwtRefused(String)
    case codesOff
    case codesLimited(Identity.Origin)
    case activateKeyWrong
    case activationUnknown(String)
    case verifierRefused(url: String, Status)
    /// Why its answer cannot be used.
    case verifierSilent(String)

    /// Source: trust-sdk-android for the codes; Milagro MFA server for the classic ones.
    var wire: MIRACLWire {
        switch self {
        case .backoff(let until):
            MIRACLWire(
                .tooManyRequests, "REQUEST_BACKOFF", "Too many verification requests",
                ["backoff": String(until.unixSeconds)])
        case .mailsOff: MIRACLWire(.forbidden, "FORBIDDEN", "The project verifies its users itself")
        case .codeRefused(_, let projectID, let accessID, _):
            MIRACLWire(
                .badRequest, "UNSUCCESSFUL_VERIFICATION", "Invalid or expired verification code",
                ["projectId": projectID, "accessId": accessID])
        case .linkIncomplete(let name):
            MIRACLWire(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
        case .jwtRefused: MIRACLWire(.unauthorized, "UNAUTHORIZED", "Unauthorized")
        case .codesOff: MIRACLWire(.forbidden, "FORBIDDEN", "The project gives out no codes")
        case .codesLimited:
            MIRACLWire(
                .forbidden, "LIMITED_QUICKCODE_GENERATION",
                "Generating a code is not allowed for this identity")
        case .activateKeyWrong: MIRACLWire(.unauthorized, "UNAUTHORIZED", "Invalid activateKey")
        case .activationUnknown: MIRACLWire(.unauthorized, "UNAUTHORIZED", "M-Pin ID not found")
        case .verifierRefused(_, let status) where (400...499).contains(status.code):
            MIRACLWire(status, "FORBIDDEN", "The user is not allowed to register")
        case .verifierRefused, .verifierSilent:
            MIRACLWire(.internalServerError, "INTERNAL_SERVER_ERROR", "The verifier cannot be used")
        }
    }

    /// The people at a browser read a page.
    var page: Page? {
        switch self {
        case .codeRefused(_, _, _, isPage: true): ConfirmationPage.refused(explanation)
        case .linkIncomplete: ConfirmationPage.refused(explanation)
        default: nil
        }
    }

    var explanation: String {
        switch self {
        case .backoff(let until):
            "The user was sent a mail just now; the next one goes out from \(until.text) on. backoff of the project in the "
                + "fixtures says how many seconds lie between two; it may be 0."
        case .mailsOff(let projectID):
            "verification_method of the project \"\(projectID)\" is custom: its back end asks for a link with POST "
                + "/verification and its credentials, no mail is sent."
        case .codeRefused(let fault, _, _, _): "The verification code is not good: \(fault.words)"
        case .linkIncomplete(let name): "The link lacks \"\(name)\": it was not taken whole from the mail."
        case .jwtRefused(let reason): reason
        case .codesOff: "enable_registration_code of the project is false: devices give out no codes."
        case .codesLimited(let origin):
            "This device was itself registered with a code (\(origin.rawValue)), and limit_reg_code_verified of the project "
                + "lets such devices give out none."
        case .activateKeyWrong:
            "The activateKey is not the one that the customer's verifier was told for this M-Pin id."
        case .activationUnknown(let id):
            "No registration that waits for its confirmation has the M-Pin id \(id.prefix(24))…."
        case .verifierRefused(let url, let status):
            "The customer's verifier at \(url) refused the registration with \(status.code); it is taken away."
        case .verifierSilent(let reason):
            "The customer's verifier, verifier_url of the project in the fixtures, gave no answer that can be used. \(reason)"
        }
    }
}
