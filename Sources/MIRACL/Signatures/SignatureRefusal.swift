import Essentials
import HTTP

/// Refusals of signatures of documents, and of what they need.
///
/// Source: the vendor's libraries for back ends (Go, .NET) and its documentation of `dvs/verify` for statuses; trust-sdk-ios for
/// the sessions.
struct SignatureRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String
}

extension SignatureRefusal {
    // MARK: - Registering a key

    static func registerToken(_ fault: RegistrationRefusal.CodeFault) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Invalid token"),
            explanation: "The dvsRegisterToken is not good: \(fault.words)")
    }

    // MARK: - Verifying

    static func pointMalformed(_ name: String, _ error: MPinError) -> Self {
        Self(
            wire: .parameter(name),
            explanation: "The member “\(name)”: \(error.explanation)")
    }

    static func typeUnknown(_ type: String) -> Self {
        Self(
            wire: .parameter("type"),
            explanation: "The type is “\(type.prefix(40))”; “verification” is the one that there is.")
    }

    static func timestampMalformed(_ number: Int) -> Self {
        Self(
            wire: .parameter("timestamp"),
            explanation:
                "The timestamp is \(number), expected seconds since 1970 as an unsigned number of 32 bits."
                + (number > UInt32.max ? " These may be milliseconds." : ""))
    }

    static func timestampAhead(seconds: Int) -> Self {
        Self(
            wire: .parameter("timestamp"),
            explanation:
                "The signature claims to be made \(seconds) s in the future by this world's clock; at most a minute is accepted."
        )
    }

    static func identityUnknown(_ id: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown identity"),
            explanation: id.mpinIDFault
                ?? "No identity has the M-Pin id \(id.prefix(24))…. The server was reset since, or this is another world."
        )
    }

    static func identityForeign(_ named: String, own: String) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown identity"),
            explanation: "The identity belongs to the project “\(named)”, and who asks to “\(own)”.")
    }

    static func identityWithoutSecrets(_ state: Identity.State) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown identity"),
            explanation:
                "The identity is \(state.rawValue): it has no secrets yet, so it cannot have signed anything."
        )
    }

    static func identityOver(_ state: Identity.State) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation:
                "The identity is \(state.rawValue)\(state == .blocked ? " by wrong PINs" : ""): its signatures are not valid any more."
        )
    }

    static func identityExpired(_ at: Date) -> Self {
        Self(
            wire: MIRACLWire(.gone, "REVOKED_MPINID", "The identity is revoked"),
            explanation: "The identity expired at \(at.text).")
    }

    static var identityWithoutKey: Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown public key"),
            explanation:
                "The identity has no key pair: documents are signed by the identity that dvsregister made, or by one of the third "
                + "generation, not by one that only signs in.")
    }

    static func publicKeyOther(isSent: Bool) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown public key"),
            explanation: isSent
                ? "The publicKey is not the one that the identity was registered with."
                : "The identity has a key pair, and the signature brings no publicKey.")
    }

    /// At a renewal.
    static func publicKeyReplaced(at: Date) -> Self {
        Self(
            wire: MIRACLWire(.forbidden, "FORBIDDEN", "Unknown public key"),
            explanation:
                "The publicKey is the one that the identity had before its renewal: it is good for signatures until \(at.text)."
        )
    }

    /// A sentence.
    static func wrong(_ sentence: String) -> Self {
        Self(
            wire: MIRACLWire(.unauthorized, "UNAUTHORIZED", "The signature is wrong"),
            explanation: sentence)
    }

    // MARK: - Sessions

    static func sessionUnknown(_ id: String) -> Self {
        Self(
            wire: .parameter("id"),
            explanation:
                "No signing session has the id “\(id.prefix(40))”. It is the part after # in the QR code."
        )
    }

    static func sessionOver(_ state: AccessSession.State) -> Self {
        Self(
            wire: .parameter("id"),
            explanation: "The signing session is over: its status is \(state.rawValue).")
    }

    static func sessionExpired(_ at: Date) -> Self {
        Self(
            wire: .parameter("id"),
            explanation:
                "The signing session expired at \(at.text); lifetimes.session of the project's fixtures says how long one lives."
        )
    }

    static func sessionSignature(_ sentence: String) -> Self {
        Self(
            wire: .parameter("signature"),
            explanation: sentence)
    }
}
