import Essentials
import SQLite

/// Flows under way, and expired ones for as long as a client may still ask.
enum FlowStore {
    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_flow (
            id TEXT PRIMARY KEY,
            flow TEXT NOT NULL, -- JSON
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_flow_expiry ON hanko_flow (expires_at)",
    ]

    /// The oldest make room beyond so many; nothing else ends a flow that a client forgot.
    static let limit = 10_000
    /// How long an expired flow is told from one that never was.
    static let secondsKept = 86_400.0

    static func flow(_ id: String, in db: Connection) throws -> Flow? {
        try db.first(FlowRow.self, "SELECT * FROM hanko_flow WHERE id = \(id)")?.flow
    }

    /// Stores a new flow, and drops what nobody will ask for any more.
    static func insert(_ flow: Flow, at now: Date, limit: Int = limit, into db: Connection) throws {
        try db.execute(
            "DELETE FROM hanko_flow WHERE expires_at < \(now.addingTimeInterval(-secondsKept))")
        try insert(flow, into: db)
        try db.execute(
            "DELETE FROM hanko_flow WHERE rowid <= (SELECT max(rowid) FROM hanko_flow) - \(limit)")
    }

    static func insert(_ flow: Flow, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_flow (id, flow, expires_at)
            VALUES (\(flow.id), \(text(flow)), \(flow.expiresAt))
            """)
    }

    static func update(_ flow: Flow, in db: Connection) throws {
        try db.execute("UPDATE hanko_flow SET flow = \(text(flow)) WHERE id = \(flow.id)")
    }

    static func delete(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_flow WHERE id = \(id)")
    }

    /// At most `count` that have not expired, the newest first.
    static func newest(_ count: Int, at now: Date, in db: Connection) throws -> [Flow] {
        try db.all(
            FlowRow.self,
            "SELECT * FROM hanko_flow WHERE expires_at > \(now) ORDER BY rowid DESC LIMIT \(count)"
        ).map(\.flow)
    }

    static func export(from db: Connection) throws -> [Flow] {
        try db.all(FlowRow.self, "SELECT * FROM hanko_flow ORDER BY rowid").map(\.flow)
    }

    private static func text(_ flow: Flow) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(flow), as: UTF8.self)
    }
}

private struct FlowRow: RowDecodable {
    let flow: Flow

    init(row: Row) throws {
        flow = try JSONDecoder().decode(Flow.self, from: Data(try row.text("flow").utf8))
    }
}
