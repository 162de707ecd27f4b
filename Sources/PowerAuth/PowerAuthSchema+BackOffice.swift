import SQLite

extension PowerAuth {
    static let backOfficeTables: [SQL] = [
        """
        CREATE TABLE powerauth_callback (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            application TEXT NOT NULL,
            name TEXT NOT NULL,
            type TEXT NOT NULL,
            url TEXT NOT NULL,
            attributes TEXT NOT NULL, -- JSON array of texts
            authentication TEXT NOT NULL, -- JSON object
            max_attempts INTEGER NOT NULL,
            initial_backoff TEXT NOT NULL, -- ISO 8601
            retention_period TEXT NOT NULL, -- ISO 8601
            is_enabled INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_callback_health (
            callback TEXT NOT NULL PRIMARY KEY REFERENCES powerauth_callback (id) ON DELETE CASCADE,
            failures INTEGER NOT NULL, -- one after the other, until a success
            failed_at INTEGER,
            token TEXT, -- access token for the receiver
            token_expires_at INTEGER
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_callback_event (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            id TEXT NOT NULL UNIQUE,
            callback TEXT NOT NULL,
            body TEXT NOT NULL, -- JSON
            state TEXT NOT NULL,
            attempts INTEGER NOT NULL,
            status INTEGER,
            failure TEXT,
            created_at INTEGER NOT NULL,
            changed_at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_callback_event_callback ON powerauth_callback_event (callback, state, changed_at)",
        """
        CREATE TABLE powerauth_user (
            position INTEGER PRIMARY KEY,
            username TEXT NOT NULL UNIQUE,
            password TEXT NOT NULL,
            roles TEXT NOT NULL, -- JSON array of texts
            applications TEXT NOT NULL, -- JSON array of ids
            is_enabled INTEGER NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_integration (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            name TEXT NOT NULL,
            client_token TEXT NOT NULL UNIQUE,
            client_secret TEXT NOT NULL
        ) STRICT
        """,
        """
        CREATE TABLE powerauth_audit (
            position INTEGER PRIMARY KEY AUTOINCREMENT,
            activation TEXT NOT NULL,
            user TEXT NOT NULL,
            application TEXT NOT NULL,
            type TEXT NOT NULL,
            data TEXT NOT NULL, -- JSON
            at INTEGER NOT NULL
        ) STRICT
        """,
        "CREATE INDEX powerauth_audit_user ON powerauth_audit (user, position)",
    ]
}
