import Essentials
import SQLite

/// Passkeys and security keys. Their table stands with ``AccountSchema``.
enum CredentialStore {
    static func credential(_ id: String, in db: Connection) throws -> Credential? {
        try db.first(Credential.self, "SELECT * FROM hanko_credential WHERE id = \(id)")
    }

    /// In the order in which they came.
    static func credentials(of userID: String, in db: Connection) throws -> [Credential] {
        try db.all(
            Credential.self, "SELECT * FROM hanko_credential WHERE user_id = \(userID) ORDER BY rowid")
    }

    static func insert(_ credential: Credential, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_credential (
                id, user_id, name, public_key, attestation_type, aaguid, sign_count, transports, is_backup_eligible,
                is_backed_up, is_mfa_only, last_used_at, created_at, updated_at
            ) VALUES (
                \(credential.id), \(credential.userID), \(credential.name), \(credential.publicKey),
                \(credential.attestationType), \(credential.aaguid), \(credential.signCount),
                \(JSONText.text(credential.transports)), \(credential.isBackupEligible), \(credential.isBackedUp),
                \(credential.isMFAOnly), \(credential.lastUsedAt), \(credential.createdAt), \(credential.updatedAt)
            )
            """)
    }

    /// Writes what an assertion or a rename changed.
    static func update(_ credential: Credential, in db: Connection) throws {
        try db.execute(
            """
            UPDATE hanko_credential SET
                name = \(credential.name), sign_count = \(credential.signCount),
                is_backup_eligible = \(credential.isBackupEligible), is_backed_up = \(credential.isBackedUp),
                last_used_at = \(credential.lastUsedAt), updated_at = \(credential.updatedAt)
            WHERE id = \(credential.id)
            """)
    }

    static func delete(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_credential WHERE id = \(id)")
    }

    static func export(from db: Connection) throws -> [Credential] {
        try db.all(Credential.self, "SELECT * FROM hanko_credential ORDER BY rowid")
    }
}
