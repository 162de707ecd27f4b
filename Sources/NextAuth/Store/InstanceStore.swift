import Essentials
import SQLite

/// Installations of apps. One without accounts costs nobody anything, so the newest 10,000 of those are kept.
struct InstanceStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_instance (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            token_digest TEXT NOT NULL UNIQUE, -- SHA-256, hexadecimal
            platform TEXT NOT NULL,
            client_version TEXT NOT NULL,
            name TEXT,
            push_token TEXT,
            pin_key TEXT, -- 32 bytes in base64url
            biometric_key TEXT, -- SPKI in base64url
            failures INTEGER NOT NULL,
            blocks_with_pin INTEGER NOT NULL,
            verified_at INTEGER, -- milliseconds since 1970 UTC
            enrolled_at INTEGER, -- milliseconds since 1970 UTC
            is_erased INTEGER NOT NULL,
            challenge TEXT, -- 32 bytes in base64url
            challenge_expires_at INTEGER, -- milliseconds since 1970 UTC
            last_event INTEGER NOT NULL,
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    private static let limit = 10_000

    func find(_ id: String, in db: Connection) throws -> Instance? {
        try db.first(Instance.self, "SELECT * FROM nextauth_instance WHERE id = \(id)")
    }

    func find(tokenDigest: String, in db: Connection) throws -> Instance? {
        try db.first(
            Instance.self, "SELECT * FROM nextauth_instance WHERE token_digest = \(tokenDigest)")
    }

    /// In the order in which they were made.
    func all(in db: Connection) throws -> [Instance] {
        try db.all(Instance.self, "SELECT * FROM nextauth_instance ORDER BY position")
    }

    func insert(_ instance: Instance, in db: Connection) throws {
        let factor = instance.factor
        try db.execute(
            """
            INSERT INTO nextauth_instance (id, token_digest, platform, client_version, name, push_token, pin_key,
                biometric_key, failures, blocks_with_pin, verified_at, enrolled_at, is_erased, challenge,
                challenge_expires_at, last_event, created_at)
            VALUES (\(instance.id), \(instance.tokenDigest), \(instance.platform.rawValue),
                \(instance.clientVersion), \(instance.name), \(instance.pushToken), \(factor.pinKey),
                \(factor.biometricKey), \(factor.failures), \(factor.blocksWithPIN), \(factor.verifiedAt),
                \(factor.enrolledAt), \(factor.isErased), \(instance.challenge?.text),
                \(instance.challenge?.expiresAt), \(instance.lastEvent), \(instance.createdAt))
            """)
        try db.execute(
            """
            DELETE FROM nextauth_instance WHERE position <= \(db.lastInsertID - Self.limit)
                AND NOT EXISTS (SELECT 1 FROM nextauth_account WHERE instance = nextauth_instance.id)
            """)
    }

    /// Writes everything that can change but the number of the newest event.
    func update(_ instance: Instance, in db: Connection) throws {
        let factor = instance.factor
        try db.execute(
            """
            UPDATE nextauth_instance
            SET name = \(instance.name), push_token = \(instance.pushToken), pin_key = \(factor.pinKey),
                biometric_key = \(factor.biometricKey), failures = \(factor.failures),
                blocks_with_pin = \(factor.blocksWithPIN), verified_at = \(factor.verifiedAt),
                enrolled_at = \(factor.enrolledAt), is_erased = \(factor.isErased),
                challenge = \(instance.challenge?.text),
                challenge_expires_at = \(instance.challenge?.expiresAt)
            WHERE id = \(instance.id)
            """)
    }

    /// The number of the next event, spent.
    func nextEvent(of id: String, in db: Connection) throws -> Int? {
        try db.execute("UPDATE nextauth_instance SET last_event = last_event + 1 WHERE id = \(id)")
        return try db.value(Int.self, "SELECT last_event FROM nextauth_instance WHERE id = \(id)")
    }

    func remove(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM nextauth_instance WHERE id = \(id)")
    }
}
