import Essentials
import SQLite

/// Flows of all devices: the newest 10,000.
struct FlowStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_flow (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            instance TEXT NOT NULL,
            server TEXT NOT NULL,
            type TEXT NOT NULL,
            state TEXT NOT NULL,
            step TEXT,
            result TEXT,
            failure TEXT,
            hsid TEXT,
            ticket TEXT,
            "transaction" TEXT,
            message TEXT,
            config TEXT NOT NULL, -- JSON
            challenge TEXT NOT NULL, -- 32 bytes in base64url
            last_challenge TEXT,
            account INTEGER,
            is_signed INTEGER NOT NULL,
            enrolment TEXT, -- JSON
            session TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX nextauth_flow_open ON nextauth_flow (expires_at) WHERE state = 'WAIT_FOR_INPUT'",
    ]

    func find(_ id: String, of instance: String, in db: Connection) throws -> Flow? {
        try db.first(Flow.self, where: "id = \(id) AND instance = \(instance)")
    }

    func exists(_ id: String, in db: Connection) throws -> Bool {
        try db.exists(Flow.self, where: "id = \(id)")
    }

    /// Those that still wait for a device and should not any more.
    func overdue(at now: Date, in db: Connection) throws -> [Flow] {
        try db.all(
            Flow.self, where: "state = 'WAIT_FOR_INPUT' AND expires_at <= \(now)",
            order: "expires_at, position")
    }

}
