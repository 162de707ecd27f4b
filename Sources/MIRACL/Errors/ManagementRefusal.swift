import Essentials
import HTTP

/// Refusals of what back ends and old clients ask beside proofs: time permits, one-time passwords, the management API.
enum ManagementRefusal: MIRACLRefusal, Equatable {
    // Time permits.
    case permitIdentityUnknown(String)
    case permitIdentityOver(Identity.State)
    case permitIdentityExpired(Date)
    case permitSignature
    case permitStorage(String)
    // One-time passwords.
    case password(RegistrationRefusal.CodeFault)
    case applicationUnknown(String)
    // Management.
    case identityUnknown(String)
    case parameter(String, String)

    /// Source: Milagro MFA SDK core for time permits; the vendor's documentation of its back end API.
    var wire: MIRACLWire {
        switch self {
        case .permitIdentityUnknown: MIRACLWire(.notFound, "EXPIRED_MPINID", "The identity has expired")
        case .permitIdentityOver, .permitIdentityExpired:
            MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked")
        case .permitSignature: MIRACLWire(.forbidden, "FORBIDDEN", "Invalid signature")
        case .permitStorage: MIRACLWire(.notFound, "NOT_FOUND", "Not found")
        case .password: MIRACLWire(.unauthorized, "UNAUTHORIZED", "The one-time password is wrong")
        case .applicationUnknown: parameters("client_id")
        case .identityUnknown: parameters("mpinId")
        case .parameter(let name, _): parameters(name)
        }
    }

    private func parameters(_ name: String) -> MIRACLWire {
        MIRACLWire(.badRequest, "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": name])
    }

    var explanation: String {
        switch self {
        case .permitIdentityUnknown(let id):
            id.mpinIDFault
                ?? "No identity has the M-Pin id or hash \(id.prefix(24))…. The server was reset since, or this is another world."
        case .permitIdentityOver(let state):
            "The identity is \(state.rawValue), and gets no time permit any more: that is how a revocation takes effect."
        case .permitIdentityExpired(let at): "The identity expired at \(at.text)."
        case .permitSignature:
            "The query signature is not the one that timePermit told today for this identity and application."
        case .permitStorage(let reason): "The storage has no such time permit: \(reason)"
        case .password(let fault): "The one-time password is not good: \(fault.words)"
        case .applicationUnknown(let id): "No application has the client id \"\(id.prefix(80))\"."
        case .identityUnknown(let id):
            id.mpinIDFault ?? "No identity of the project has the M-Pin id or hash \"\(id.prefix(80))\"."
        case .parameter(let name, let reason): "The parameter \"\(name)\": \(reason)"
        }
    }
}
