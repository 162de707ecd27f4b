import SQLite

/// Something that happened to a web session, for those who watch it on a WebSocket: the newest 1,000. Fixtures do not carry them: nobody
/// watches across a load.
struct Signal: Record, Equatable {
    static let table = Table("nextauth_signal", key: "number", order: "number")

    /// The words are those of the frames.
    enum Kind: String, Sendable, Codable, CaseIterable {
        case login = "LOGIN"
        case logout = "LOGOUT"
        case canProvoke = "CANPROVOKE"
        case confirmScan = "CONFIRMSCAN"
        case confirmProvoke = "CONFIRMPROVOKE"
        case cancel = "CANCEL"
        case noAccounts = "NOACCOUNTS"
    }

    /// Grows by one with every signal of the world.
    let number: Int
    let server: String
    let hsid: String
    let kind: Kind

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_signal (
            number INTEGER PRIMARY KEY AUTOINCREMENT,
            server TEXT NOT NULL,
            hsid TEXT NOT NULL,
            kind TEXT NOT NULL
        ) STRICT
        """
    ]

    private static let limit = 1000

    /// The number of the newest one; 0 when there was none.
    static func last(in db: Connection) throws -> Int {
        try db.value(Int.self, "SELECT max(number) FROM nextauth_signal") ?? 0
    }

    /// Those behind `number`, oldest first.
    static func all(after number: Int, in db: Connection) throws -> [Signal] {
        try db.all(Signal.self, where: "number > \(number)", order: "number")
    }

    static func add(_ kind: Kind, _ hsid: String, of server: String, in db: Connection) throws {
        try db.execute(
            "INSERT INTO nextauth_signal (server, hsid, kind) VALUES (\(server), \(hsid), \(kind.rawValue))")
        try db.delete(Signal.self, where: "number <= \(db.lastInsertID - limit)")
    }
}
