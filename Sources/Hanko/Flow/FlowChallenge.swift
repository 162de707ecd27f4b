import Essentials
import WebAuthn

/// The WebAuthn options that a flow gave out last; the only ones that an answer counts for.
struct FlowChallenge: Codable, Sendable, Equatable {
    enum Use: String, Codable, Sendable { case passkeyLogin, securityKeyLogin, passkey, securityKey }

    let bytes: [UInt8]
    let use: Use
    /// Ids in base64url; empty when any credential is welcome.
    let allowed: [String]
    let expiresAt: Date?
    /// Whom a new credential is for: the session of a profile flow may become another user's meanwhile.
    var ownerID: String?

    var ceremony: Ceremony {
        use == .passkeyLogin || use == .securityKeyLogin ? .authentication : .registration
    }

    var kind: CredentialKind { use == .passkeyLogin || use == .passkey ? .passkey : .securityKey }

    var issued: IssuedChallenge { IssuedChallenge(bytes, for: ceremony, expiresAt: expiresAt) }
}
