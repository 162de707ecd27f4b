import Essentials
import SQLite

/// What happened to web sessions, for the WebSockets that watch them: the newest 1,000. Fixtures do not carry them: nobody watches
/// across a load.
struct SignalStore: Sendable {
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
    func last(in db: Connection) throws -> Int {
        try db.value(Int.self, "SELECT max(number) FROM nextauth_signal") ?? 0
    }

    /// Those behind `number`, oldest first.
    func all(after number: Int, in db: Connection) throws -> [Signal] {
        try db.all(Signal.self, "SELECT * FROM nextauth_signal WHERE number > \(number) ORDER BY number")
    }

    func add(_ kind: Signal.Kind, _ hsid: String, of server: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO nextauth_signal (server, hsid, kind) VALUES (\(server), \(hsid), \(kind.rawValue))
            """)
        try db.execute("DELETE FROM nextauth_signal WHERE number <= \(db.lastInsertID - Self.limit)")
    }
}
