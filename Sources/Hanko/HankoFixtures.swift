import Essentials

/// The section `hanko` of a fixture file.
package struct HankoFixtures: Codable, Sendable {
    /// Hanko's own configuration.
    var config: ConfigurationFixture?
    /// `classic` for 2.7 with the REST endpoints, `current` for 3.x without them; `classic` when left out.
    var profile: Configuration.Generation?
    /// True to accept every port of `http://localhost` as an origin of WebAuthn. False when left out.
    var anyLocalhostOrigin: Bool?
    /// True to answer 500, as the original does, when nothing but the server's memory says which address a new user is about
    /// to confirm. False when left out.
    var strictPendingAddress: Bool?
    /// True to refuse what the standard of WebAuthn refuses and the original lets pass. False when left out.
    var strictWebAuthn: Bool?
    /// True for users as versions before 0.4 told them, with `email`, `verified` and times: the vendor's Android sample demands
    /// these members. False when left out.
    var fullUserAnswers: Bool?
    /// What the files in `/.well-known` say of native apps and other sites.
    var association: AssociationFixture?
    var users: [UserFixture]?
    /// Addresses that are nobody's yet.
    var emails: [EmailFixture]?
    var passcodes: [PasscodeFixture]?
    var sessions: [SessionFixture]?
    var rateLimits: [RateLimitFixture]?
    /// Devices that need not bring the second factor.
    var trustedDevices: [TrustedDeviceFixture]?
    /// Challenges of the classic WebAuthn endpoints that wait for their answer.
    var challenges: [ChallengeFixture]?
    /// Flows under way, as the server keeps them: for snapshots, not to be written by hand.
    var flows: [Flow]?
    /// Sign-ins that are under way at a provider.
    var thirdPartyStates: [ThirdPartyState]?
    /// Tokens that browsers brought back and nobody traded yet.
    var thirdPartyTokens: [ThirdPartyToken]?
    /// What the admin API demands as `Authorization: Bearer`, as the hosted product does. Without it nothing is demanded, as
    /// where Hanko is self-hosted.
    var adminKey: String?
    /// Hooks as the admin API makes them.
    var webhooks: [WebhookFixture]?
    /// Entries of the audit log.
    var auditLog: [AuditFixture]?

    enum CodingKeys: String, CodingKey {
        case config, profile, association
        case anyLocalhostOrigin = "any_localhost_origin"
        case strictPendingAddress = "strict_pending_address"
        case strictWebAuthn = "strict_webauthn"
        case fullUserAnswers = "full_user_answers"
        case users, emails, passcodes, sessions
        case rateLimits = "rate_limits"
        case trustedDevices = "trusted_devices"
        case challenges, flows
        case thirdPartyStates = "third_party_states"
        case thirdPartyTokens = "third_party_tokens"
        case adminKey = "admin_api_key"
        case webhooks
        case auditLog = "audit_logs"
    }

    struct UserFixture: Codable, Sendable {
        /// Version 4 UUID in lower case.
        var id: String
        var username: String?
        var name: String?
        var givenName: String?
        var familyName: String?
        var picture: String?
        /// Id of the address that the user registered and has not confirmed.
        var pendingEmailID: String?
        /// 2026-01-01 when left out.
        var createdAt: Date?
        /// `created_at` when left out.
        var updatedAt: Date?
        var emails: [EmailFixture]?
        var usernameCreatedAt: Date?
        var usernameUpdatedAt: Date?
        var password: PasswordFixture?
        var otp: OTPFixture?
        var credentials: [CredentialFixture]?
        var identities: [IdentityFixture]?
        var metadata: MetadataFixture?

        enum CodingKeys: String, CodingKey {
            case id, username
            case usernameCreatedAt = "username_created_at"
            case usernameUpdatedAt = "username_updated_at"
            case name
            case givenName = "given_name"
            case familyName = "family_name"
            case picture
            case pendingEmailID = "pending_email_id"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case emails, password, otp
            case credentials = "webauthn_credentials"
            case identities, metadata
        }
    }

    struct EmailFixture: Codable, Sendable {
        /// Version 4 UUID in lower case; made of the address when left out.
        var id: String?
        var address: String
        /// When left out: true for a user's address, false for one that is nobody's.
        var isVerified: Bool?
        /// When left out: true for the first of a user none of whose addresses says so.
        var isPrimary: Bool?
        /// 2026-01-01 when left out.
        var createdAt: Date?
        /// `created_at` when left out.
        var updatedAt: Date?

        enum CodingKeys: String, CodingKey {
            case id, address
            case isVerified = "is_verified"
            case isPrimary = "is_primary"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    struct PasscodeFixture: Codable, Sendable {
        /// Version 4 UUID in lower case.
        var id: String
        var userID: String
        var emailID: String
        /// Six digits. An exported passcode has `code_sha256` instead.
        var code: String?
        /// SHA-256 of id, colon and code, in base64.
        var digest: String?
        /// Seconds; 300 when left out.
        var ttl: Int?
        var wrongTries: Int?
        var createdAt: Date

        enum CodingKeys: String, CodingKey {
            case id
            case userID = "user_id"
            case emailID = "email_id"
            case code
            case digest = "code_sha256"
            case ttl
            case wrongTries = "wrong_tries"
            case createdAt = "created_at"
        }
    }

    struct SessionFixture: Codable, Sendable {
        /// Version 4 UUID in lower case: the claim `session_id` of the token.
        var id: String
        var userID: String
        var userAgent: String?
        var ipAddress: String?
        var createdAt: Date
        /// `created_at` when left out.
        var updatedAt: Date?
        var expiresAt: Date
        /// `created_at` when left out.
        var lastUsed: Date?

        enum CodingKeys: String, CodingKey {
            case id
            case userID = "user_id"
            case userAgent = "user_agent"
            case ipAddress = "ip_address"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case expiresAt = "expires_at"
            case lastUsed = "last_used"
        }
    }

    struct RateLimitFixture: Codable, Sendable {
        /// Route, user and client address.
        var key: String
        var since: Date
        var used: Int
    }
}
