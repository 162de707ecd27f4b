import Essentials

/// What devices and users have beside their activations.
struct MobileFixtures: Codable, Sendable {
    /// MAC tokens of activations.
    var tokens: [TokenFixture]?
    var recoveryCodes: [RecoveryCodeFixture]?
    /// OpenID Connect claims by user; `sub` is added.
    var userClaims: [String: [String: JSONValue]]?

    enum CodingKeys: String, CodingKey {
        case tokens
        case recoveryCodes = "recovery_codes"
        case userClaims = "user_claims"
    }
}

/// A MAC token in a fixture file.
struct TokenFixture: Codable, Sendable {
    /// UUID
    var id: String
    var activation: String
    /// Base64 of 16 bytes.
    var secret: String
    /// Factors with which it was made, such as `possession_knowledge`.
    var type: String
    /// The moment of loading when left out.
    var createdAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, activation, secret, type
        case createdAt = "created_at"
    }
}

/// A recovery code in a fixture file.
struct RecoveryCodeFixture: Codable, Sendable {
    /// `XXXXX-XXXXX-XXXXX-XXXXX`
    var code: String
    var application: String
    var user: String
    /// The one that received it; nil for a printed one.
    var activation: String?
    var state: RecoveryCode.State
    /// 0 when left out.
    var failedAttempts: Int?
    /// In the order in which they are asked for.
    var puks: [RecoveryCode.PUK]

    enum CodingKeys: String, CodingKey {
        case code, application, user, activation, state, puks
        case failedAttempts = "failed_attempts"
    }
}
