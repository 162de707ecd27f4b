import PlatformKit

/// The configuration as the endpoints read it: every default filled in, every duration in seconds.
///
/// Source of the defaults: the configuration of Hanko 2.7.
struct Configuration: Sendable {
    let serviceName: String
    /// Domain that passkeys belong to, and the default audience of session tokens.
    let relyingPartyID: String
    let email: Email
    let session: Session
    let passwordsAreEnabled: Bool
    let passwordMinLength: Int
    let passkeysAreEnabled: Bool
    let mfa: MFA
    let allowsSignup: Bool
    let allowsDeletion: Bool
    /// Nil when the rate limiter is switched off.
    let passcodeLimit: RateLimit.Rule?
    let crossOriginPolicy: CrossOriginPolicy
    /// Whether the address of a user who never confirmed one is left to the cookie alone.
    let isStrictAboutPendingAddress: Bool

    struct Email: Sendable, Equatable {
        let canReceivePasscodes: Bool
        let requiresVerification: Bool
        let limit: Int
        let passcodeTTLSeconds: Int
    }

    struct MFA: Sendable, Equatable {
        let isEnabled: Bool
        let offersTOTP: Bool
        let offersSecurityKeys: Bool
    }

    struct Session: Sendable, Equatable {
        let lifespanSeconds: Int
        /// Nil when sessions do not end by lying idle.
        let idleTimeoutSeconds: Double?
        let limit: Int
        let audience: [String]
        let issuer: String?
        let usesTokenHeader: Bool
        let keepsAddress: Bool
        let keepsUserAgent: Bool
        let cookie: SessionCookie
    }

    /// Upstream registers the passcode endpoints under these conditions only.
    var hasPasscodes: Bool { !mfa.isEnabled && email.canReceivePasscodes }
    var hasPasswords: Bool { !mfa.isEnabled && passwordsAreEnabled }
}
