import Essentials
import SQLite

/// Users and their addresses are one aggregate: an address without its user's row would be somebody else's.
struct UserStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_user (
            id TEXT PRIMARY KEY,
            username TEXT UNIQUE,
            name TEXT,
            given_name TEXT,
            family_name TEXT,
            picture TEXT,
            pending_email_id TEXT REFERENCES hanko_email (id) ON DELETE SET NULL, -- registered, not confirmed
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE hanko_email (
            id TEXT PRIMARY KEY,
            user_id TEXT REFERENCES hanko_user (id) ON DELETE CASCADE, -- null while not assigned
            address TEXT NOT NULL UNIQUE, -- lower case
            is_verified INTEGER NOT NULL CHECK (is_verified IN (0, 1)),
            is_primary INTEGER NOT NULL CHECK (is_primary IN (0, 1)),
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            updated_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_email_user ON hanko_email (user_id)",
        "CREATE UNIQUE INDEX hanko_email_primary ON hanko_email (user_id) WHERE is_primary",
        "CREATE INDEX hanko_user_pending ON hanko_user (pending_email_id)",
    ]

    let database: Database

    /// What `POST /users` left behind.
    struct Registration: Sendable {
        let user: User
        let email: Email
        let isNewAddress: Bool
        /// Only where addresses need no confirmation.
        let session: OpenedSession?
    }

    /// Makes a user for `address`, which stays nobody's until it is confirmed.
    ///
    /// - Parameters:
    ///   - ids: of the user and, when the address is new, of its row.
    ///   - opening: makes the session that a user gets whose address need not be confirmed; nil when it must be.
    func register(
        _ address: String, ids: (user: String, email: String), opening: NewSession?, at now: Date
    ) throws -> Registration {
        try database.write { db in
            let known = try EmailStore.email(address: address, in: db)
            if let known, let owner = known.userID { throw HankoError.addressTaken(address, userID: owner) }
            let email = Email(
                id: known?.id ?? ids.email, userID: opening == nil ? nil : ids.user, address: address,
                isVerified: known?.isVerified ?? false, isPrimary: opening != nil,
                createdAt: known?.createdAt ?? now, updatedAt: now)
            let user = User(id: ids.user, pendingEmailID: opening == nil ? email.id : nil, createdAt: now)
            // The two rows name each other; the address comes first without its user.
            if known == nil { try EmailStore.insert(email.unassigned, into: db) }
            try Self.insert(user, into: db)
            if opening != nil { try EmailStore.update(email, in: db) }
            let session = try opening.map { try SessionStore.open($0, for: user.id, in: db) }
            return Registration(user: user, email: email, isNewAddress: known == nil, session: session)
        }
    }

    /// - Returns: false when there is no such user.
    func delete(_ id: String) throws -> Bool {
        try database.write { db in
            try db.execute("DELETE FROM hanko_user WHERE id = \(id)")
            return db.changes > 0
        }
    }

    static func user(_ id: String, in db: Connection) throws -> User? {
        try db.first(User.self, "SELECT * FROM hanko_user WHERE id = \(id)")
    }

    static func insert(_ user: User, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_user (
                id, username, username_created_at, username_updated_at, name, given_name, family_name, picture,
                pending_email_id, created_at, updated_at
            ) VALUES (
                \(user.id), \(user.username), \(user.usernameCreatedAt), \(user.usernameUpdatedAt), \(user.name),
                \(user.givenName), \(user.familyName), \(user.picture), \(user.pendingEmailID), \(user.createdAt),
                \(user.updatedAt)
            )
            """)
    }

    /// Writes everything of a user but the pending address.
    static func update(_ user: User, in db: Connection) throws {
        try db.execute(
            """
            UPDATE hanko_user SET
                username = \(user.username), username_created_at = \(user.usernameCreatedAt),
                username_updated_at = \(user.usernameUpdatedAt), name = \(user.name),
                given_name = \(user.givenName), family_name = \(user.familyName), picture = \(user.picture),
                updated_at = \(user.updatedAt)
            WHERE id = \(user.id)
            """)
    }

    /// - Parameter username: in lower case.
    static func user(named username: String, in db: Connection) throws -> User? {
        try db.first(User.self, "SELECT * FROM hanko_user WHERE username = \(username)")
    }

    static func export(from db: Connection) throws -> [User] {
        try db.all(User.self, "SELECT * FROM hanko_user ORDER BY rowid")
    }
}
