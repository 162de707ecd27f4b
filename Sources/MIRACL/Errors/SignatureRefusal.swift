import Essentials
import HTTP

/// Refusals of signatures of documents, and of what they need.
enum SignatureRefusal: MIRACLRefusal, Equatable {
    // Registering a key.
    case registerToken(RegistrationRefusal.CodeFault)
    // Verifying.
    case pointMalformed(String, MPinError)
    case typeUnknown(String)
    case timestampMalformed(Int)
    case timestampAhead(seconds: Int)
    case identityUnknown(String)
    case identityForeign(String, own: String)
    case identityWithoutSecrets(Identity.State)
    case identityOver(Identity.State)
    case identityExpired(Date)
    case identityWithoutKey
    case publicKeyOther(isSent: Bool)
    /// At a renewal.
    case publicKeyReplaced(at: Date)
    /// A sentence.
    case wrong(String)
    // Sessions.
    case sessionUnknown(String)
    case sessionOver(AccessSession.State)
    case sessionExpired(Date)
    case sessionSignature(String)

    /// Source: the vendor's libraries for back ends (Go, .NET) and its documentation of `dvs/verify` for statuses; trust-sdk-ios for
    /// the sessions.
    var wire: MIRACLWire {
        switch self {
        case .registerToken: MIRACLWire(.forbidden, "FORBIDDEN", "Invalid token")
        case .pointMalformed(let name, _): parameters(name)
        case .typeUnknown: parameters("type")
        case .timestampMalformed, .timestampAhead: parameters("timestamp")
        case .identityUnknown, .identityForeign, .identityWithoutSecrets:
            MIRACLWire(.forbidden, "FORBIDDEN", "Unknown identity")
        case .identityOver, .identityExpired:
            MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked")
        case .identityWithoutKey, .publicKeyOther, .publicKeyReplaced:
            MIRACLWire(.forbidden, "FORBIDDEN", "Unknown public key")
        case .wrong: MIRACLWire(.unauthorized, "UNAUTHORIZED", "The signature is wrong")
        case .sessionUnknown, .sessionOver, .sessionExpired: parameters("id")
        case .sessionSignature: parameters("signature")
        }
    }

    private func parameters(_ name: String) -> MIRACLWire {
        MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
    }
}
