import Essentials
import SQLite

/// Accounts at third parties. Their table stands with ``AccountSchema``.
enum IdentityStore {
    static let migrations: [SQL] = [
        """
        ALTER TABLE hanko_identity ADD COLUMN needs_proof INTEGER NOT NULL DEFAULT 0
            CHECK (needs_proof IN (0, 1))
        """
    ]

    static func identity(_ id: String, in db: Connection) throws -> Identity? {
        try db.first(Identity.self, "SELECT * FROM hanko_identity WHERE id = \(id)")
    }

    static func identity(provider: String, subject: String, in db: Connection) throws -> Identity? {
        try db.first(
            Identity.self,
            "SELECT * FROM hanko_identity WHERE provider = \(provider) AND subject = \(subject)")
    }

    /// In the order in which they came.
    static func identities(of userID: String, in db: Connection) throws -> [Identity] {
        try db.all(Identity.self, "SELECT * FROM hanko_identity WHERE user_id = \(userID) ORDER BY rowid")
    }

    static func insert(_ identity: Identity, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_identity (
                id, user_id, provider, subject, email_id, claims, created_at, updated_at, needs_proof
            ) VALUES (
                \(identity.id), \(identity.userID), \(identity.provider), \(identity.subject), \(identity.emailID),
                \(identity.claims.text), \(identity.createdAt), \(identity.updatedAt), \(identity.needsProof)
            )
            """)
    }

    static func update(_ identity: Identity, in db: Connection) throws {
        try db.execute(
            """
            UPDATE hanko_identity SET
                email_id = \(identity.emailID), claims = \(identity.claims.text),
                updated_at = \(identity.updatedAt), needs_proof = \(identity.needsProof)
            WHERE id = \(identity.id)
            """)
    }

    static func delete(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_identity WHERE id = \(id)")
    }

    static func export(from db: Connection) throws -> [Identity] {
        try db.all(Identity.self, "SELECT * FROM hanko_identity ORDER BY rowid")
    }
}
