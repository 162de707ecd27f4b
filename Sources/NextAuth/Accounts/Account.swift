import Essentials
import PlatformKit
import SQLite

/// What one installation of an app has for one server: a key pair, and perhaps a user. An id is never used again.
struct Account: Record, Equatable {
    static let table = Table("nextauth_account", order: "id")

    let id: Int
    let server: String
    let instance: String
    var user: String?
    /// P-256, SPKI in base64url.
    let publicKey: String
    /// What the app shows: the name that the enrolment code brought.
    let name: String
    /// What the device calls itself.
    let description: String
    /// What was typed at the confirmation of the enrolment.
    var userInput: String?
    var isBlocked = false
    /// Without a second factor.
    var isHeadless = false
    let createdAt: Date
    var lastLoginAt: Date?
    var lastProvokedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, server, instance, user, name, description
        case publicKey = "public_key"
        case userInput = "user_input"
        case isBlocked = "is_blocked"
        case isHeadless = "is_headless"
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
        case lastProvokedAt = "last_provoked_at"
    }
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
}

extension Account {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(Int.self, forKey: .id)
        server = try fields.decode(String.self, forKey: .server)
        instance = try fields.decode(String.self, forKey: .instance)
        user = try fields.decodeIfPresent(String.self, forKey: .user)
        publicKey = try fields.decode(String.self, forKey: .publicKey)
        name = try fields.decode(String.self, forKey: .name)
        description = try fields.decodeIfPresent(String.self, forKey: .description) ?? name
        userInput = try fields.decodeIfPresent(String.self, forKey: .userInput)
        isBlocked = try fields.decodeIfPresent(Bool.self, forKey: .isBlocked) ?? false
        isHeadless = try fields.decodeIfPresent(Bool.self, forKey: .isHeadless) ?? false
        createdAt = try fields.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
        lastLoginAt = try fields.decodeIfPresent(Date.self, forKey: .lastLoginAt)
        lastProvokedAt = try fields.decodeIfPresent(Date.self, forKey: .lastProvokedAt)
    }
}

// MARK: - Looking up

extension Account {
    static func find(_ id: Int, in db: Connection) throws -> Account? {
        try db.first(Account.self, where: "id = \(id)")
    }

    static func find(_ id: Int, of server: String, in db: Connection) throws -> Account? {
        try db.first(Account.self, where: "id = \(id) AND server = \(server)")
    }

    static func all(of server: String, in db: Connection) throws -> [Account] {
        try db.all(Account.self, where: "server = \(server)")
    }

    static func all(of server: String, user: String, in db: Connection) throws -> [Account] {
        try db.all(Account.self, where: "server = \(server) AND user = \(user)")
    }

    static func all(ofInstance instance: String, in db: Connection) throws -> [Account] {
        try db.all(Account.self, where: "instance = \(instance)")
    }

    static func all(ofInstance instance: String, server: String, in db: Connection) throws -> [Account] {
        try db.all(Account.self, where: "instance = \(instance) AND server = \(server)")
    }

    /// The id that a new account gets.
    static func nextID(in db: Connection) throws -> Int {
        (try db.value(Int.self, "SELECT seq FROM sqlite_sequence WHERE name = 'nextauth_account'") ?? 0)
            .adding(1)
    }

    /// Ids up to this one are spent.
    static func lastID(in db: Connection) throws -> Int { try nextID(in: db) - 1 }

    /// So that a loaded world gives no id again that was spent in the exported one.
    static func spendIDs(upTo id: Int, in db: Connection) throws {
        guard id > (try lastID(in: db)) else { return }
        try db.execute("DELETE FROM sqlite_sequence WHERE name = 'nextauth_account'")
        try db.execute("INSERT INTO sqlite_sequence (name, seq) VALUES ('nextauth_account', \(id))")
    }

    static func figures(of server: String, in db: Connection) throws -> AccountFigures {
        try db.first(
            AccountFigures.self,
            """
            SELECT count(*) AS count, max(last_login_at) AS last_login_at FROM nextauth_account
            WHERE server = \(server)
            """) ?? AccountFigures()
    }
}

/// What a server shows of its accounts.
struct AccountFigures: Sendable, Equatable, RowDecodable {
    let count: Int
    let lastLoginAt: Date?

    init(count: Int = 0, lastLoginAt: Date? = nil) { (self.count, self.lastLoginAt) = (count, lastLoginAt) }

    init(row: Row) throws {
        self.init(count: try row.integer("count"), lastLoginAt: try row.optionalDate("last_login_at"))
    }
}
