import Essentials
import HTTP

/// Refusals of the two passes and of what follows them.
enum ProofRefusal: MIRACLRefusal, Equatable {
    // First pass.
    case identityUnknown(String)
    case identityExpired(Date)
    case identityWithoutSecrets(Identity.State)
    case publicKeyOther(hasOne: Bool, sentOne: Bool)
    case publicKeyReplaced
    case pointMalformed(String, MPinError)
    case permitMissing
    // Second pass.
    case passIncomplete(String)
    case passMissing
    case passExpired(Date)
    // authenticate
    case authOTTUnknown
    case authOTTExpired(Date)
    case pinWrong(attemptsLeft: Int, fault: String)
    case lastPINWrong(limit: Int, fault: String)
    case blocked(userID: String)
    case revoked(userID: String)
    /// Another identity took its place.
    case succeeded(userID: String)
    case unknownTreatedAsBlocked
    case sessionGone(String)
    case applicationForeign(String, userID: String)
    case applicationUnknown
    case mastersChanged
    /// The same for a client that cannot be renewed.
    case secretExpired(isReplaced: Bool)
    case codesOff
    case codesLimited

    /// Source: Milagro MFA SDK core and Milagro MFA server for statuses; trust-sdk-android and client-js 8 for codes.
    var wire: MIRACLWire {
        switch self {
        case .identityUnknown, .identityExpired, .identityWithoutSecrets:
            MIRACLWire(.forbidden, "EXPIRED_MPINID", "The identity has expired")
        case .publicKeyOther, .publicKeyReplaced, .permitMissing:
            MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden")
        case .pointMalformed(let name, _):
            MIRACLWire(
                .badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
        case .passIncomplete(let name):
            MIRACLWire(
                .forbidden, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
        case .passMissing, .passExpired: MIRACLWire(.forbidden, "FORBIDDEN", "No first pass")
        case .authOTTUnknown, .authOTTExpired:
            MIRACLWire(.requestTimeout, "REQUEST_EXPIRED", "The request has expired")
        case .pinWrong:
            MIRACLWire(.unauthorized, "UNSUCCESSFUL_AUTHENTICATION", "The authentication was not successful")
        case .lastPINWrong, .blocked, .revoked, .succeeded, .unknownTreatedAsBlocked:
            MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked")
        case .sessionGone:
            MIRACLWire(.preconditionFailed, "INVALID_AUTH_SESSION", "Invalid or expired session")
        case .applicationForeign, .applicationUnknown, .codesOff:
            MIRACLWire(.forbidden, "FORBIDDEN", "Forbidden")
        case .mastersChanged: MIRACLWire(.conflict, "EXPIRED_MPINID", "The client secret has expired")
        case .secretExpired:
            MIRACLWire(.conflict, "CLIENT_SECRET_EXPIRED", "The client secret has expired")
        case .codesLimited:
            MIRACLWire(
                .forbidden, "LIMITED_QUICKCODE_GENERATION",
                "Generating a code is not allowed for this identity")
        }
    }
}
