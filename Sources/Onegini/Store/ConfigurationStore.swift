import Essentials
import OpenID
import SQLite

/// What the config API keeps and nothing else of this server has a table for: by kind, as the objects that came.
struct ConfigurationStore: Sendable {
    enum Kind: String, Sendable, CaseIterable {
        /// What a scope has beyond the authorization server's own table.
        case scope
        case identityProvider = "idp"
        case webHook = "web_hook"
    }

    /// An object of the config API with its id.
    struct Entry: Sendable, Equatable, RowDecodable {
        let id: String
        /// With the vendor's names.
        var settings: [String: JSONValue]

        init(id: String, settings: [String: JSONValue]) { (self.id, self.settings) = (id, settings) }

        init(row: Row) throws {
            id = try row.text("id")
            settings = try JSONValue(parsing: Array(row.text("settings").utf8)).object ?? [:]
        }
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_configuration (
            position INTEGER PRIMARY KEY,
            kind TEXT NOT NULL,
            id TEXT NOT NULL,
            settings TEXT NOT NULL, -- JSON
            UNIQUE (kind, id)
        ) STRICT
        """
    ]

    func find(_ kind: Kind, _ id: String, in db: Connection) throws -> Entry? {
        try db.first(
            Entry.self,
            "SELECT * FROM onegini_configuration WHERE kind = \(kind.rawValue) AND id = \(id)")
    }

    /// In the order in which they came.
    func all(_ kind: Kind, in db: Connection) throws -> [Entry] {
        try db.all(
            Entry.self,
            "SELECT * FROM onegini_configuration WHERE kind = \(kind.rawValue) ORDER BY position")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for an id that is taken.
    func insert(_ entry: Entry, as kind: Kind, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_configuration (kind, id, settings)
            VALUES (\(kind.rawValue), \(entry.id), \(JSONValue.object(entry.settings).text))
            """)
    }

    /// Adds the entry, or puts it in the place of the one with its id.
    func save(_ entry: Entry, as kind: Kind, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_configuration (kind, id, settings)
            VALUES (\(kind.rawValue), \(entry.id), \(JSONValue.object(entry.settings).text))
            ON CONFLICT (kind, id) DO UPDATE SET settings = excluded.settings
            """)
    }

    /// How often a token with these scopes may be used: the lowest of their limits; 0 when none has one.
    func usageLimit(of scope: ScopeList, in db: Connection) throws -> Int {
        try all(.scope, in: db).filter { scope.contains($0.id) }
            .compactMap { $0.settings["usage_limit"]?.integer }.filter { $0 > 0 }.min() ?? 0
    }

    /// False when there was none.
    @discardableResult
    func remove(_ kind: Kind, _ id: String, in db: Connection) throws -> Bool {
        try db.execute("DELETE FROM onegini_configuration WHERE kind = \(kind.rawValue) AND id = \(id)")
        return db.changes > 0
    }
}
