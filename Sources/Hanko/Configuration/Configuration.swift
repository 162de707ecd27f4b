import Essentials
import PlatformKit

/// The configuration as the endpoints read it: every default filled in, every duration in seconds.
///
/// Source of the defaults: the configuration of Hanko 2.7.
struct Configuration: Sendable {
    let generation: Generation
    let serviceName: String
    let relyingParty: RelyingPartyRules
    let email: Email
    let password: Password
    let passkey: Passkey
    let username: Username
    let session: Session
    let mfa: MFA
    let privacy: Privacy
    let allowsSignup: Bool
    let allowsDeletion: Bool
    /// Nil when the rate limiter is switched off.
    let limits: Limits?
    let crossOriginPolicy: CrossOriginPolicy
    let webhooks: Webhooks
    let auditLog: AuditLog
    let thirdParty: ThirdPartyRules
    /// Whether mails leave Hanko; otherwise the webhook `email.send` is all that tells of them.
    let deliversMail: Bool
    let sender: Message.Address
    /// Security notifications that are mailed, by their names.
    let notifications: Set<String>
    /// Whether flow errors tell their cause.
    let isDebug: Bool
    /// Whether the address of a user who never confirmed one is left to the cookie alone.
    let isStrictAboutPendingAddress: Bool
    /// Whether users are told with the members of versions before 0.4.
    let tellsFullUsers: Bool
    /// What the admin API demands as bearer token; nil where it demands nothing.
    let adminKey: String?

    /// Which line of Hanko answers.
    enum Generation: String, Codable, Sendable {
        /// 2.7, with the REST endpoints that native apps call.
        case classic
        /// 3.x, which removed them: the Flow API and what it needs.
        case current
    }

    /// Passkeys are made for, and accepted from, these.
    struct RelyingPartyRules: Sendable, Equatable {
        /// Domain that passkeys belong to, and the default audience of session tokens.
        let id: String
        let displayName: String
        let origins: [String]
        /// Those of other sites that `/.well-known/webauthn` lists.
        let relatedOrigins: [String]
        /// Whether every port of `http://localhost` is an origin: ours, for development.
        let allowsAnyLocalhost: Bool
        /// Whether what the standard refuses and the original lets pass is refused: ours.
        let isStrict: Bool
        /// Milliseconds; nil where the configuration leaves it to the standard values.
        let registrationTimeout: Int?
        let loginTimeout: Int?

        static let standardTimeout = 600_000
    }

    struct Email: Sendable, Equatable {
        let isEnabled: Bool
        let isUsedForAuthentication: Bool
        let isLoginIdentifier: Bool
        let requiresVerification: Bool
        let isOptional: Bool
        let acquiresOnRegistration: Bool
        let acquiresOnLogin: Bool
        let limit: Int
        let maxLength: Int
        let passcodeTTL: Int
        let passcodesAreAlphanumeric: Bool

        var canReceivePasscodes: Bool { isEnabled && isUsedForAuthentication }
    }

    struct Password: Sendable, Equatable {
        let isEnabled: Bool
        let isOptional: Bool
        let acquiresOnRegistration: Acquisition
        let acquiresOnLogin: Acquisition
        /// Characters.
        let minLength: Int
        let allowsRecovery: Bool
    }

    struct Passkey: Sendable, Equatable {
        let isEnabled: Bool
        let isOptional: Bool
        let acquiresOnRegistration: Acquisition
        let acquiresOnLogin: Acquisition
        /// `required`, `preferred` or `discouraged`.
        let userVerification: String
        /// `none`, `indirect`, `direct` or `enterprise`.
        let attestationPreference: String
        let limit: Int
    }

    struct Username: Sendable, Equatable {
        let isEnabled: Bool
        let isOptional: Bool
        let isLoginIdentifier: Bool
        let acquiresOnRegistration: Bool
        let acquiresOnLogin: Bool
        let minLength: Int
        let maxLength: Int
    }

    struct MFA: Sendable, Equatable {
        let isEnabled: Bool
        let isOptional: Bool
        let acquiresOnRegistration: Bool
        let acquiresOnLogin: Bool
        let offersTOTP: Bool
        let offersSecurityKeys: Bool
        let securityKeyLimit: Int
        /// `platform`, `cross-platform`, or nil for either.
        let securityKeyAttachment: String?
        let securityKeyUserVerification: String
        let deviceTrust: DeviceTrust
        let deviceTrustSeconds: Double
        let deviceTrustCookie: DeviceTrustCookie
    }

    /// Whether a device may be trusted, so that the second factor is not asked for again.
    enum DeviceTrust: String, Codable, Sendable {
        case always, prompt, never
    }

    struct Privacy: Sendable, Equatable {
        let showsAccountExistence: Bool
        let showsOnlyActualMethods: Bool
    }

    struct Limits: Sendable, Equatable {
        let passcode: RateLimit.Rule
        let otp: RateLimit.Rule
        let password: RateLimit.Rule
        let token: RateLimit.Rule
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
        let allowsRevocation: Bool
        let isShownOnProfile: Bool
        let cookie: SessionCookie
        let template: ClaimTemplate
    }

    struct Webhooks: Sendable, Equatable {
        let isEnabled: Bool
        /// Whether hooks that were made over the admin API end after 30 days without a success.
        let expire: Bool
        /// Hooks of the configuration itself, which never end.
        let hooks: [ConfigurationFixture.Webhooks.Hook]
    }

    struct AuditLog: Sendable, Equatable {
        let isStored: Bool
        /// Whether entries become events of the journal.
        let isTold: Bool
    }

    /// Upstream registers these endpoints under these conditions only.
    var hasPasscodes: Bool { generation == .classic && !mfa.isEnabled && email.canReceivePasscodes }
    var hasPasswords: Bool { generation == .classic && !mfa.isEnabled && password.isEnabled }
    var hasPasskeys: Bool { generation == .classic && passkey.isEnabled }
}

/// When a sign-up or login asks for a credential that the user lacks.
enum Acquisition: String, Codable, Sendable {
    case always, conditional, never
}
