import Essentials
import HTTP

/// Refusals of what back ends and old clients ask beside proofs: time permits, one-time passwords, the management API.
///
/// Source: Milagro MFA SDK core for time permits; the vendor's documentation of its back end API.
struct ManagementRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String
}

extension ManagementRefusal {
    // MARK: - Time permits

    static func permitIdentityUnknown(_ id: String) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "EXPIRED_MPINID", "The identity has expired"),
            explanation: id.mpinIDFault
                ?? "No identity has the M-Pin id or hash \(id.prefix(24))…. The server was reset since, or this is another world."
        )
    }

    static func permitIdentityOver(_ state: Identity.State) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "The identity is \(state.rawValue), and gets no time permit any more: that is how a revocation takes effect."
        )
    }

    static func permitIdentityExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation: "The identity expired at \(at.text).")
    }

    static var permitSignature: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Invalid signature"),
            explanation:
                "The query signature is not the one that timePermit told today for this identity and application."
        )
    }

    static func permitStorage(_ reason: String) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "NOT_FOUND", "Not found"),
            explanation: "The storage has no such time permit: \(reason)")
    }

    // MARK: - One-time passwords

    static func password(_ fault: RegistrationRefusal.CodeFault) -> Self {
        Self(
            wire: MIRACLWire(.unauthorized, "UNAUTHORIZED", "The one-time password is wrong"),
            explanation: "The one-time password is not good: \(fault.words)")
    }

    static func applicationUnknown(_ id: String) -> Self {
        Self(
            wire: .parameter("client_id"),
            explanation: "No application has the client id “\(id.prefix(80))”.")
    }

    // MARK: - Management

    static func identityUnknown(_ id: String) -> Self {
        Self(
            wire: .parameter("mpinId"),
            explanation: id.mpinIDFault
                ?? "No identity of the project has the M-Pin id or hash “\(id.prefix(80))”.")
    }

    static func parameter(_ name: String, _ reason: String) -> Self {
        Self(
            wire: .parameter(name),
            explanation: "The parameter “\(name)”: \(reason)")
    }
}
