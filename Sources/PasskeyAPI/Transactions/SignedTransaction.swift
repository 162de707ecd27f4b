import Crypto
import Essentials
import PlatformKit
import SQLite

/// Something that a user confirms with a passkey: its hash is the end of the challenge.
struct SignedTransaction: Traced, Equatable {
    static let table = Table("passkeyapi_transaction", order: "created_at, rowid", limit: 10_000)

    static let migrations: [SQL] = [
        """
        CREATE TABLE passkeyapi_transaction (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            tenant_id TEXT NOT NULL,
            identifier TEXT NOT NULL,
            user_id TEXT NOT NULL,
            data TEXT NOT NULL, -- JSON
            challenge TEXT NOT NULL, -- base64url
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            UNIQUE (tenant_id, identifier)
        ) STRICT
        """
    ]

    let id: String
    let tenantID: String
    /// The app's own id.
    let identifier: String
    let userID: String
    /// JSON, as it was hashed.
    let data: String
    let challenge: String
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, identifier, data, challenge
        case tenantID = "tenant_id"
        case userID = "user_id"
        case createdAt = "created_at"
    }

    var subjects: [Subject] { [Subject(.transaction, identifier, "Transaction")] }

    /// 32 bytes of chance, and SHA-256 over id and data.
    static func challenge(_ random: [UInt8], _ identifier: String, _ data: String) -> [UInt8] {
        random + Digest.sha256(Array((identifier + data).utf8))
    }
}
