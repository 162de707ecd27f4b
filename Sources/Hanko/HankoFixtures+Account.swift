import Essentials

extension HankoFixtures {
    struct PasswordFixture: Codable, Sendable {
        /// Version 4 UUID in lower case; made of the user's when left out.
        var id: String?
        /// The password itself. An exported one has `hash` instead.
        var text: String?
        /// `$pbkdf2-sha256$ITERATIONS$SALT$HASH`, salt and hash in base64url.
        var hash: String?
        /// 2026-01-01 when left out.
        var createdAt: Date?
        /// `created_at` when left out.
        var updatedAt: Date?

        enum CodingKeys: String, CodingKey {
            case id, text, hash
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    struct OTPFixture: Codable, Sendable {
        /// Version 4 UUID in lower case; made of the user's when left out.
        var id: String?
        /// Base32.
        var secret: String
        /// 2026-01-01 when left out.
        var createdAt: Date?

        enum CodingKeys: String, CodingKey {
            case id, secret
            case createdAt = "created_at"
        }
    }

    struct CredentialFixture: Codable, Sendable {
        /// Base64url.
        var id: String
        var name: String?
        /// COSE_Key in base64url.
        var publicKey: String
        /// `none` when left out.
        var attestationType: String?
        /// All zeros when left out.
        var aaguid: String?
        /// 0 when left out.
        var signCount: Int?
        var transports: [String]?
        var isBackupEligible: Bool?
        var isBackedUp: Bool?
        var isMFAOnly: Bool?
        var lastUsedAt: Date?
        /// 2026-01-01 when left out.
        var createdAt: Date?
        /// `created_at` when left out.
        var updatedAt: Date?

        enum CodingKeys: String, CodingKey {
            case id, name
            case publicKey = "public_key"
            case attestationType = "attestation_type"
            case aaguid
            case signCount = "sign_count"
            case transports
            case isBackupEligible = "backup_eligible"
            case isBackedUp = "backup_state"
            case isMFAOnly = "mfa_only"
            case lastUsedAt = "last_used_at"
            case createdAt = "created_at"
            case updatedAt = "updated_at"
        }
    }

    struct IdentityFixture: Codable, Sendable {
        /// Version 4 UUID in lower case; made of provider and subject when left out.
        var id: String?
        var provider: String
        var subject: String
        /// Id of the user's address that the provider knows.
        var emailID: String?
        /// As the provider gave them.
        var claims: JSONValue?
        /// 2026-01-01 when left out.
        var createdAt: Date?
        /// `created_at` when left out.
        var updatedAt: Date?
        /// It was linked by an address that the provider has not verified: a code must come back before it signs in. False when left
        /// out.
        var needsProof: Bool?

        enum CodingKeys: String, CodingKey {
            case id, provider, subject
            case emailID = "email_id"
            case claims
            case createdAt = "created_at"
            case updatedAt = "updated_at"
            case needsProof = "needs_proof"
        }
    }

    /// JSON objects of at most 3000 characters.
    struct MetadataFixture: Codable, Sendable {
        var `public`: JSONValue?
        var `private`: JSONValue?
        var unsafe: JSONValue?
    }

    struct TrustedDeviceFixture: Codable, Sendable {
        /// What the cookie carries.
        var token: String
        var userID: String
        var createdAt: Date
        var expiresAt: Date

        enum CodingKeys: String, CodingKey {
            case token
            case userID = "user_id"
            case createdAt = "created_at"
            case expiresAt = "expires_at"
        }
    }

    struct ChallengeFixture: Codable, Sendable {
        /// Base64url.
        var challenge: String
        /// `registration` or `authentication`.
        var ceremony: Challenge.Ceremony
        var userID: String?
        var userVerification: String
        var allowedCredentials: [String]?
        var createdAt: Date
        var expiresAt: Date

        enum CodingKeys: String, CodingKey {
            case challenge, ceremony
            case userID = "user_id"
            case userVerification = "user_verification"
            case allowedCredentials = "allowed_credentials"
            case createdAt = "created_at"
            case expiresAt = "expires_at"
        }
    }
}
