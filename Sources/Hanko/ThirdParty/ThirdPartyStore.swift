import Essentials
import SQLite

/// Sign-ins that are under way, and the tokens that they end in.
enum ThirdPartyStore {
    /// Of each kind in a world; the oldest make room.
    static let limit = 1_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE hanko_third_party_state (
            state TEXT PRIMARY KEY,
            provider TEXT NOT NULL,
            redirect_to TEXT NOT NULL,
            nonce TEXT NOT NULL,
            is_flow INTEGER NOT NULL CHECK (is_flow IN (0, 1)),
            user_id TEXT REFERENCES hanko_user (id) ON DELETE CASCADE,
            code_verifier TEXT,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_third_party_state_user ON hanko_third_party_state (user_id)",
        """
        CREATE TABLE hanko_third_party_token (
            value TEXT PRIMARY KEY,
            user_id TEXT NOT NULL REFERENCES hanko_user (id) ON DELETE CASCADE,
            identity_id TEXT NOT NULL REFERENCES hanko_identity (id) ON DELETE CASCADE,
            is_flow INTEGER NOT NULL CHECK (is_flow IN (0, 1)),
            is_new_user INTEGER NOT NULL CHECK (is_new_user IN (0, 1)),
            code_verifier TEXT,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX hanko_third_party_token_user ON hanko_third_party_token (user_id)",
        "CREATE INDEX hanko_third_party_token_identity ON hanko_third_party_token (identity_id)",
    ]

    static func insert(_ state: ThirdPartyState, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_third_party_state (
                state, provider, redirect_to, nonce, is_flow, user_id, code_verifier, expires_at
            ) VALUES (
                \(state.state), \(state.provider), \(state.redirectTo), \(state.nonce), \(state.isFlow),
                \(state.userID), \(state.codeVerifier), \(state.expiresAt)
            )
            """)
        try db.execute(
            """
            DELETE FROM hanko_third_party_state
            WHERE rowid <= (SELECT max(rowid) FROM hanko_third_party_state) - \(limit)
            """)
    }

    /// The sign-in, which is used up by asking for it.
    static func take(_ state: String, in db: Connection) throws -> ThirdPartyState? {
        let found = try db.first(
            ThirdPartyState.self, "SELECT * FROM hanko_third_party_state WHERE state = \(state)")
        if found != nil { try db.execute("DELETE FROM hanko_third_party_state WHERE state = \(state)") }
        return found
    }

    static func insert(_ token: ThirdPartyToken, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_third_party_token (
                value, user_id, identity_id, is_flow, is_new_user, code_verifier, expires_at
            ) VALUES (
                \(token.value), \(token.userID), \(token.identityID), \(token.isFlow), \(token.isNewUser),
                \(token.codeVerifier), \(token.expiresAt)
            )
            """)
        try db.execute(
            """
            DELETE FROM hanko_third_party_token
            WHERE rowid <= (SELECT max(rowid) FROM hanko_third_party_token) - \(limit)
            """)
    }

    static func token(_ value: String, in db: Connection) throws -> ThirdPartyToken? {
        try db.first(ThirdPartyToken.self, "SELECT * FROM hanko_third_party_token WHERE value = \(value)")
    }

    static func delete(_ value: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_third_party_token WHERE value = \(value)")
    }

    static func exportStates(from db: Connection) throws -> [ThirdPartyState] {
        try db.all(ThirdPartyState.self, "SELECT * FROM hanko_third_party_state ORDER BY rowid")
    }

    static func exportTokens(from db: Connection) throws -> [ThirdPartyToken] {
        try db.all(ThirdPartyToken.self, "SELECT * FROM hanko_third_party_token ORDER BY rowid")
    }
}
