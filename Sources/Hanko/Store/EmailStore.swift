import Essentials
import SQLite

/// Mail addresses. Their tables stand with ``UserStore``.
struct EmailStore: Sendable {
    let database: Database

    func email(address: String) throws -> Email? {
        try database.read { try Self.email(address: address, in: $0) }
    }

    func emails(of userID: String) throws -> [Email] {
        try database.read { try Self.emails(of: userID, in: $0) }
    }

    func primary(of userID: String) throws -> Email? {
        try database.read { try Self.primary(of: userID, in: $0) }
    }

    /// Adds `address` for a user who is signed in.
    ///
    /// - Parameters:
    ///   - id: of the row, when the address is new.
    ///   - needsConfirmation: leaves the address nobody's until a passcode for it comes back.
    func add(
        _ address: String, for userID: String, id: String, needsConfirmation: Bool, limit: Int, at now: Date
    ) throws -> Email {
        try database.write { db in
            guard try UserStore.user(userID, in: db) != nil else { throw HankoError.userGone(userID) }
            let present = try Self.emails(of: userID, in: db)
            guard present.count < limit else { throw HankoError.addressLimitReached(limit) }
            let known = try Self.email(address: address, in: db)
            if let known, let owner = known.userID {
                throw HankoError.addressAssigned(address, isOwn: owner == userID)
            }
            let email = Email(
                id: known?.id ?? id, userID: needsConfirmation ? nil : userID, address: address,
                isVerified: known?.isVerified ?? false, isPrimary: !needsConfirmation && present.isEmpty,
                createdAt: known?.createdAt ?? now, updatedAt: now)
            try known == nil ? Self.insert(email, into: db) : Self.update(email, in: db)
            return email
        }
    }

    /// - Throws: ``HankoError/emailNotYours(_:)``.
    func makePrimary(_ id: String, of userID: String, at now: Date) throws -> Email {
        try database.write { db in
            let email = try Self.requireEmail(id, of: userID, in: db)
            try db.execute(
                "UPDATE hanko_email SET is_primary = 0, updated_at = \(now) WHERE user_id = \(userID) AND is_primary"
            )
            try db.execute("UPDATE hanko_email SET is_primary = 1, updated_at = \(now) WHERE id = \(id)")
            return email
        }
    }

    /// - Throws: ``HankoError/emailNotYours(_:)``, ``HankoError/primaryStays(_:)``.
    func remove(_ id: String, of userID: String) throws -> Email {
        try database.write { db in
            let email = try Self.requireEmail(id, of: userID, in: db)
            if email.isPrimary { throw HankoError.primaryStays(email.address) }
            try db.execute("DELETE FROM hanko_email WHERE id = \(id)")
            return email
        }
    }

    private static func requireEmail(_ id: String, of userID: String, in db: Connection) throws -> Email {
        guard let email = try email(id, in: db), email.userID == userID else {
            throw HankoError.emailNotYours(id)
        }
        return email
    }
}

extension EmailStore {
    static func email(_ id: String, in db: Connection) throws -> Email? {
        try db.first(Email.self, "SELECT * FROM hanko_email WHERE id = \(id)")
    }

    static func email(address: String, in db: Connection) throws -> Email? {
        try db.first(Email.self, "SELECT * FROM hanko_email WHERE address = \(address)")
    }

    /// In the order in which they came.
    static func emails(of userID: String, in db: Connection) throws -> [Email] {
        try db.all(Email.self, "SELECT * FROM hanko_email WHERE user_id = \(userID) ORDER BY rowid")
    }

    static func primary(of userID: String, in db: Connection) throws -> Email? {
        try db.first(Email.self, "SELECT * FROM hanko_email WHERE user_id = \(userID) AND is_primary")
    }

    static func insert(_ email: Email, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_email (id, user_id, address, is_verified, is_primary, created_at, updated_at)
            VALUES (
                \(email.id), \(email.userID), \(email.address), \(email.isVerified), \(email.isPrimary),
                \(email.createdAt), \(email.updatedAt)
            )
            """)
    }

    static func update(_ email: Email, in db: Connection) throws {
        try db.execute(
            """
            UPDATE hanko_email SET
                user_id = \(email.userID), is_verified = \(email.isVerified), is_primary = \(email.isPrimary),
                updated_at = \(email.updatedAt)
            WHERE id = \(email.id)
            """)
    }

    /// Stores a confirmed address; its user has no other in view any more.
    static func confirm(_ email: Email, in db: Connection) throws {
        try update(email, in: db)
        try db.execute(
            "UPDATE hanko_user SET pending_email_id = NULL WHERE id = \(email.userID) AND pending_email_id = \(email.id)"
        )
    }

    static func export(from db: Connection) throws -> [Email] {
        try db.all(Email.self, "SELECT * FROM hanko_email ORDER BY rowid")
    }
}
