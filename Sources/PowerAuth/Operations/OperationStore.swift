import Essentials
import SQLite

/// Operations as rows. Rules and consequences of a change are in `PowerAuth+Operations` and its neighbours.
struct OperationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_operation (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            user TEXT,
            activation TEXT,
            applications TEXT NOT NULL, -- JSON array of texts
            template TEXT NOT NULL,
            type TEXT NOT NULL,
            data TEXT NOT NULL,
            parameters TEXT NOT NULL, -- JSON object of texts
            additional_data TEXT NOT NULL, -- JSON object
            state TEXT NOT NULL,
            state_reason TEXT,
            types TEXT NOT NULL, -- JSON array of texts
            risk_flags TEXT NOT NULL,
            failures INTEGER NOT NULL,
            max_failures INTEGER NOT NULL,
            proximity_seed BLOB, -- 16 bytes
            flag TEXT,
            external_id TEXT,
            language TEXT NOT NULL,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            finalized_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_operation_user ON powerauth_operation (user, created_at)",
        """
        CREATE INDEX powerauth_operation_pending ON powerauth_operation (user, created_at)
        WHERE state = 'PENDING'
        """,
        "CREATE INDEX powerauth_operation_due ON powerauth_operation (expires_at) WHERE state = 'PENDING'",
        """
        CREATE INDEX powerauth_operation_external ON powerauth_operation (external_id, created_at)
        WHERE external_id IS NOT NULL
        """,
    ]

    func find(_ id: String, in db: Connection) throws -> Operation? {
        try db.first(Operation.self, "SELECT * FROM powerauth_operation WHERE id = \(id)")
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [Operation] {
        try db.all(Operation.self, "SELECT * FROM powerauth_operation ORDER BY position")
    }

    /// The newest of everybody, newest first.
    func newest(_ count: Int, in db: Connection) throws -> [Operation] {
        try db.all(
            Operation.self,
            "SELECT * FROM powerauth_operation ORDER BY created_at DESC, position DESC LIMIT \(count)")
    }

    /// Pending ones whose time is up, the longest overdue first.
    func overdue(at now: Date, atMost count: Int, in db: Connection) throws -> [Operation] {
        try db.all(
            Operation.self,
            """
            SELECT * FROM powerauth_operation WHERE state = 'PENDING' AND expires_at <= \(now)
            ORDER BY expires_at LIMIT \(count)
            """)
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for an id that is taken.
    func insert(_ operation: Operation, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_operation (id, user, activation, applications, template, type, data, parameters,
                additional_data, state, state_reason, types, risk_flags, failures, max_failures, proximity_seed,
                flag, external_id, language, created_at, expires_at, finalized_at)
            VALUES (\(operation.id), \(operation.user), \(operation.activation),
                \(JSONValue(operation.applications).text), \(operation.template), \(operation.type),
                \(operation.data), \(JSONValue.object(operation.parameters.mapValues(JSONValue.string)).text),
                \(JSONValue.object(operation.additionalData).text), \(operation.state.rawValue),
                \(operation.stateReason), \(JSONValue(operation.types.map(\.rawValue)).text),
                \(operation.riskFlags), \(operation.failures), \(operation.maxFailures),
                \(operation.proximitySeed), \(operation.flag), \(operation.externalID), \(operation.language),
                \(operation.createdAt), \(operation.expiresAt), \(operation.finalizedAt))
            """)
    }

    /// Writes everything that can change.
    func update(_ operation: Operation, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_operation
            SET user = \(operation.user), additional_data = \(JSONValue.object(operation.additionalData).text),
                state = \(operation.state.rawValue), state_reason = \(operation.stateReason),
                failures = \(operation.failures), finalized_at = \(operation.finalizedAt)
            WHERE id = \(operation.id)
            """)
    }
}
