import Essentials
import PlatformKit
import SQLite

/// Somebody who has credentials, under an id of the app's.
struct User: Traced, Equatable {
    static let table = Table("passkeyapi_user", key: "tenant_id", "id")

    static let migrations: [SQL] = [
        """
        CREATE TABLE passkeyapi_user (
            tenant_id TEXT NOT NULL,
            id TEXT NOT NULL,
            name TEXT NOT NULL,
            display_name TEXT NOT NULL,
            icon TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (tenant_id, id)
        ) STRICT
        """
    ]

    let tenantID: String
    /// At most 64 bytes: the user handle.
    let id: String
    var name: String
    var displayName: String
    var icon: String?
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, name, icon
        case tenantID = "tenant_id"
        case displayName = "display_name"
        case createdAt = "created_at"
    }

    var subjects: [Subject] { [Subject(.user, id, name)] }

    /// What authenticators keep of a user.
    var handle: [UInt8] { Array(id.utf8) }

    static func find(_ id: String, of tenant: String, in turn: Turn) throws -> User? {
        try turn.first(User.self, where: "tenant_id = \(tenant) AND id = \(id)")
    }
}

/// A public key of a user's.
struct Credential: Record, Equatable {
    static let table = Table("passkeyapi_credential", key: "tenant_id", "id", order: "created_at, rowid")

    static let migrations: [SQL] = [
        """
        CREATE TABLE passkeyapi_credential (
            tenant_id TEXT NOT NULL,
            id TEXT NOT NULL, -- base64url
            user_id TEXT NOT NULL,
            name TEXT,
            public_key TEXT NOT NULL, -- COSE_Key in base64url
            attestation_type TEXT NOT NULL,
            aaguid TEXT NOT NULL, -- UUID
            sign_count INTEGER NOT NULL,
            transports TEXT NOT NULL, -- JSON
            backup_eligible INTEGER NOT NULL CHECK (backup_eligible IN (0, 1)),
            backup_state INTEGER NOT NULL CHECK (backup_state IN (0, 1)),
            is_mfa INTEGER NOT NULL CHECK (is_mfa IN (0, 1)),
            last_used_at INTEGER, -- milliseconds since 1970 UTC
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (tenant_id, id)
        ) STRICT
        """,
        "CREATE INDEX passkeyapi_credential_user ON passkeyapi_credential (tenant_id, user_id)",
    ]

    let tenantID: String
    let id: String
    let userID: String
    var name: String?
    let publicKey: String
    let attestationType: String
    let aaguid: String
    let signCount: Int
    let transports: [String]
    var isBackupEligible: Bool
    var isBackedUp: Bool
    /// Good as a second factor, not to sign in with.
    let isMFA: Bool
    var lastUsedAt: Date?
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, name, aaguid, transports
        case tenantID = "tenant_id"
        case userID = "user_id"
        case publicKey = "public_key"
        case attestationType = "attestation_type"
        case signCount = "sign_count"
        case isBackupEligible = "backup_eligible"
        case isBackedUp = "backup_state"
        case isMFA = "is_mfa"
        case lastUsedAt = "last_used_at"
        case createdAt = "created_at"
    }

    static func find(_ id: String, of tenant: String, in db: Connection) throws -> Credential? {
        try db.first(Credential.self, where: "tenant_id = \(tenant) AND id = \(id)")
    }

    /// Those of a user: of a ceremony without a second factor none that is one alone.
    static func all(
        of user: String, _ tenant: String, withMFA: Bool, in db: Connection
    ) throws -> [Credential] {
        try db.all(
            Credential.self,
            where: "tenant_id = \(tenant) AND user_id = \(user) AND (\(withMFA) OR NOT is_mfa)")
    }
}
