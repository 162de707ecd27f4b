import Crypto
import Essentials
import PlatformKit
import SQLite
import WebAuthn

/// A challenge that waits for its answer.
struct Challenge: Traced, Equatable {
    static let table = Table("passkeyapi_challenge", key: "challenge", limit: 10_000)

    static let migrations: [SQL] = [
        """
        CREATE TABLE passkeyapi_challenge (
            challenge TEXT NOT NULL PRIMARY KEY, -- base64url
            tenant_id TEXT NOT NULL,
            operation TEXT NOT NULL,
            user_id TEXT,
            user_verification TEXT NOT NULL,
            allowed_credentials TEXT NOT NULL, -- JSON
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    enum Operation: String, Codable, Sendable, CaseIterable { case registration, authentication, transaction }

    let challenge: String
    let tenantID: String
    let operation: Operation
    /// Nil when anybody may answer.
    let userID: String?
    /// As the options asked for it.
    let userVerification: UserVerification
    /// Base64url; empty when any credential is welcome.
    let allowedCredentials: [String]
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case challenge, operation
        case tenantID = "tenant_id"
        case userID = "user_id"
        case userVerification = "user_verification"
        case allowedCredentials = "allowed_credentials"
        case expiresAt = "expires_at"
    }

    var subjects: [Subject] { [Subject(.challenge, challenge, "Passkey \(operation.rawValue)")] }

    var issued: IssuedChallenge {
        IssuedChallenge(
            Base64URL.decode(challenge) ?? [],
            for: operation == .registration ? .registration : .authentication, expiresAt: expiresAt)
    }
}
