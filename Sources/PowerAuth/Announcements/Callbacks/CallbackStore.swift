import Essentials
import SQLite

/// Addresses that want to be told, and how far their circuit breakers are; of the removed ones the 1,000 that came last.
struct CallbackStore: Sendable {
    static let removedLimit = 1000

    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_callback (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            application TEXT NOT NULL,
            name TEXT NOT NULL,
            kind TEXT NOT NULL,
            url TEXT NOT NULL,
            attributes TEXT NOT NULL, -- JSON array of texts
            authentication TEXT NOT NULL, -- JSON object
            max_attempts INTEGER NOT NULL,
            initial_backoff TEXT NOT NULL, -- ISO 8601
            retention_period TEXT NOT NULL, -- ISO 8601
            is_enabled INTEGER NOT NULL,
            failures INTEGER NOT NULL DEFAULT 0, -- one after the other, until a success
            failed_at INTEGER, -- milliseconds since 1970 UTC
            token TEXT, -- access token for the receiver
            token_expires_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    func find(_ id: String, in db: Connection) throws -> RegisteredCallback? {
        try db.first(RegisteredCallback.self, "SELECT * FROM powerauth_callback WHERE id = \(id)")
    }

    /// In the order in which they came, also the removed ones.
    func all(in db: Connection) throws -> [RegisteredCallback] {
        try db.all(RegisteredCallback.self, "SELECT * FROM powerauth_callback ORDER BY position")
    }

    /// Those that are enabled.
    func all(of application: String, in db: Connection) throws -> [RegisteredCallback] {
        try db.all(
            RegisteredCallback.self,
            """
            SELECT * FROM powerauth_callback WHERE application = \(application) AND is_enabled = 1
            ORDER BY position
            """)
    }

    /// Whether anybody wants to be told of anything.
    func areNone(in db: Connection) throws -> Bool {
        try db.value(Int.self, "SELECT 1 FROM powerauth_callback WHERE is_enabled = 1 LIMIT 1") == nil
    }

    func insert(_ callback: RegisteredCallback, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_callback (id, application, name, kind, url, attributes, authentication,
                max_attempts, initial_backoff, retention_period, is_enabled)
            VALUES (\(callback.id), \(callback.application), \(callback.name), \(callback.kind.rawValue),
                \(callback.url), \(JSONValue(callback.attributes).text), \(try callback.authenticationText),
                \(callback.maxAttempts), \(callback.initialBackoff), \(callback.retentionPeriod),
                \(callback.isEnabled))
            """)
    }

    /// Writes everything that can change; the token of earlier credentials is forgotten.
    func update(_ callback: RegisteredCallback, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_callback
            SET name = \(callback.name), url = \(callback.url),
                attributes = \(JSONValue(callback.attributes).text),
                authentication = \(try callback.authenticationText), max_attempts = \(callback.maxAttempts),
                initial_backoff = \(callback.initialBackoff),
                retention_period = \(callback.retentionPeriod), is_enabled = \(callback.isEnabled),
                token = NULL, token_expires_at = NULL
            WHERE id = \(callback.id)
            """)
        if !callback.isEnabled { try forgetRemoved(in: db) }
    }

    /// Removed ones beyond the limit go, and with them what they were told.
    private func forgetRemoved(in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM powerauth_callback WHERE is_enabled = 0 AND position <= (
                SELECT position FROM powerauth_callback WHERE is_enabled = 0
                ORDER BY position DESC LIMIT 1 OFFSET \(Self.removedLimit))
            """)
        guard db.changes > 0 else { return }
        try db.execute(
            "DELETE FROM powerauth_callback_event WHERE callback NOT IN (SELECT id FROM powerauth_callback)")
    }

    // The circuit breaker.

    /// Whether so many failures came one after the other, the last of them lately, that new events fail at once.
    func isBroken(_ id: String, at now: Date, in db: Connection) throws -> Bool {
        try db.value(
            Int.self,
            """
            SELECT 1 FROM powerauth_callback
            WHERE id = \(id) AND failures >= \(Self.failureLimit) AND failed_at > \(now - Self.breakSeconds)
            """) != nil
    }

    // Source: published defaults of the PowerAuth Server.
    static let failureLimit = 200
    static let breakSeconds: Double = 60

    func note(success isSuccess: Bool, of id: String, at now: Date, in db: Connection) throws {
        if isSuccess {
            try db.execute(
                "UPDATE powerauth_callback SET failures = 0, failed_at = NULL WHERE id = \(id)")
        } else {
            try db.execute(
                "UPDATE powerauth_callback SET failures = failures + 1, failed_at = \(now) WHERE id = \(id)")
        }
    }

    // Access tokens for receivers.

    func token(of id: String, at now: Date, in db: Connection) throws -> String? {
        try db.value(
            String.self,
            "SELECT token FROM powerauth_callback WHERE id = \(id) AND token IS NOT NULL AND token_expires_at > \(now)"
        )
    }

    /// - Parameter token: nil to forget it.
    func setToken(_ token: String?, until end: Date?, of id: String, in db: Connection) throws {
        try db.execute(
            "UPDATE powerauth_callback SET token = \(token), token_expires_at = \(end) WHERE id = \(id)")
    }
}
