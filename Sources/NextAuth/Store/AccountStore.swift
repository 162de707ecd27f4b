import Essentials
import SQLite

/// Accounts of all servers and devices. An id is never used again.
struct AccountStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_account (
            id INTEGER PRIMARY KEY AUTOINCREMENT,
            server TEXT NOT NULL,
            instance TEXT NOT NULL,
            user TEXT,
            public_key TEXT NOT NULL, -- SPKI in base64url
            name TEXT NOT NULL,
            description TEXT NOT NULL,
            user_input TEXT,
            is_blocked INTEGER NOT NULL,
            is_headless INTEGER NOT NULL,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_login_at INTEGER, -- milliseconds since 1970 UTC
            last_provoked_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX nextauth_account_instance ON nextauth_account (instance)",
        "CREATE INDEX nextauth_account_user ON nextauth_account (server, user)",
    ]

    func find(_ id: Int, in db: Connection) throws -> Account? {
        try db.first(Account.self, "SELECT * FROM nextauth_account WHERE id = \(id)")
    }

    func find(_ id: Int, of server: String, in db: Connection) throws -> Account? {
        try db.first(Account.self, "SELECT * FROM nextauth_account WHERE id = \(id) AND server = \(server)")
    }

    /// In the order in which they were made, as every list here.
    func all(in db: Connection) throws -> [Account] {
        try db.all(Account.self, "SELECT * FROM nextauth_account ORDER BY id")
    }

    func all(of server: String, in db: Connection) throws -> [Account] {
        try db.all(Account.self, "SELECT * FROM nextauth_account WHERE server = \(server) ORDER BY id")
    }

    func all(of server: String, user: String, in db: Connection) throws -> [Account] {
        try db.all(
            Account.self,
            "SELECT * FROM nextauth_account WHERE server = \(server) AND user = \(user) ORDER BY id")
    }

    func all(ofInstance instance: String, in db: Connection) throws -> [Account] {
        try db.all(Account.self, "SELECT * FROM nextauth_account WHERE instance = \(instance) ORDER BY id")
    }

    func all(
        ofInstance instance: String, server: String, in db: Connection
    ) throws -> [Account] {
        try db.all(
            Account.self,
            """
            SELECT * FROM nextauth_account WHERE instance = \(instance) AND server = \(server) ORDER BY id
            """)
    }

    /// The id that a new account gets.
    func nextID(in db: Connection) throws -> Int {
        (try db.value(Int.self, "SELECT seq FROM sqlite_sequence WHERE name = 'nextauth_account'") ?? 0) + 1
    }

    /// Ids up to this one are spent.
    func lastID(in db: Connection) throws -> Int { try nextID(in: db) - 1 }

    /// So that a loaded world gives no id again that was spent in the exported one.
    func spendIDs(upTo id: Int, in db: Connection) throws {
        guard id > (try lastID(in: db)) else { return }
        try db.execute("DELETE FROM sqlite_sequence WHERE name = 'nextauth_account'")
        try db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('nextauth_account', \(id))")
    }
}
