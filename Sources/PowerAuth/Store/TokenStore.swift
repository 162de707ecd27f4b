import SQLite

/// MAC tokens.
struct TokenStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_token (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            activation TEXT NOT NULL,
            secret BLOB NOT NULL, -- 16 bytes
            type TEXT NOT NULL,
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_token_activation ON powerauth_token (activation)",
    ]

    func find(_ id: String, in db: Connection) throws -> Token? {
        try db.first(Token.self, "SELECT * FROM powerauth_token WHERE id = \(id)")
    }

    /// Of all activations, in the order in which they were made.
    func all(in db: Connection) throws -> [Token] {
        try db.all(Token.self, "SELECT * FROM powerauth_token ORDER BY position")
    }

    /// Those of one activation, in the order in which they were made.
    func all(of activation: String, in db: Connection) throws -> [Token] {
        try db.all(
            Token.self, "SELECT * FROM powerauth_token WHERE activation = \(activation) ORDER BY position")
    }

    func insert(_ token: Token, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_token (id, activation, secret, type, created_at)
            VALUES (\(token.id), \(token.activation), \(token.secret), \(token.type.rawValue),
                \(token.createdAt))
            """)
    }

    /// - Returns: whether there was one of this activation.
    @discardableResult
    func remove(_ id: String, of activation: String, in db: Connection) throws -> Bool {
        try db.execute("DELETE FROM powerauth_token WHERE id = \(id) AND activation = \(activation)")
        return db.changes > 0
    }

    func removeAll(of activation: String, in db: Connection) throws {
        try db.execute("DELETE FROM powerauth_token WHERE activation = \(activation)")
    }
}
