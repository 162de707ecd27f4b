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
            transaction_id TEXT,
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

    private static let limit = 10_000

    func find(_ id: String, of instance: String, in db: Connection) throws -> Flow? {
        try db.first(
            Flow.self, "SELECT * FROM nextauth_flow WHERE id = \(id) AND instance = \(instance)")
    }

    func exists(_ id: String, in db: Connection) throws -> Bool {
        try db.value(Int.self, "SELECT 1 FROM nextauth_flow WHERE id = \(id)") != nil
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [Flow] {
        try db.all(Flow.self, "SELECT * FROM nextauth_flow ORDER BY position")
    }

    /// Those that still wait for a device and should not any more.
    func overdue(at now: Date, in db: Connection) throws -> [Flow] {
        try db.all(
            Flow.self,
            """
            SELECT * FROM nextauth_flow WHERE state = 'WAIT_FOR_INPUT' AND expires_at <= \(now)
            ORDER BY expires_at, position
            """)
    }

    func insert(_ flow: Flow, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO nextauth_flow (id, instance, server, type, state, step, result, failure, hsid, ticket,
                transaction_id, message, config, challenge, last_challenge, account, is_signed, enrolment,
                session, created_at, expires_at)
            VALUES (\(flow.id), \(flow.instance), \(flow.server), \(flow.type.rawValue), \(flow.state.rawValue),
                \(flow.step?.rawValue), \(flow.result?.rawValue), \(flow.failure?.rawValue), \(flow.hsid),
                \(flow.ticket), \(flow.transaction), \(flow.message), \(try encoded(flow.config)),
                \(flow.challenge), \(flow.lastChallenge), \(flow.account), \(flow.isSigned),
                \(try flow.enrolment.map { try encoded($0) }), \(flow.session), \(flow.createdAt),
                \(flow.expiresAt))
            """)
        try db.execute("DELETE FROM nextauth_flow WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    /// Writes everything that can change.
    func update(_ flow: Flow, in db: Connection) throws {
        try db.execute(
            """
            UPDATE nextauth_flow
            SET state = \(flow.state.rawValue), step = \(flow.step?.rawValue), result = \(flow.result?.rawValue),
                failure = \(flow.failure?.rawValue), challenge = \(flow.challenge),
                last_challenge = \(flow.lastChallenge), account = \(flow.account), is_signed = \(flow.isSigned),
                enrolment = \(try flow.enrolment.map { try encoded($0) }), session = \(flow.session)
            WHERE id = \(flow.id)
            """)
    }

    func removeAll(of instance: String, in db: Connection) throws {
        try db.execute("DELETE FROM nextauth_flow WHERE instance = \(instance)")
    }

    private func encoded(_ value: some Encodable) throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys]
        return String(decoding: try encoder.encode(value), as: UTF8.self)
    }
}
