import Essentials
import SQLite

/// Activations as rows. Rules and consequences of a change are the registry's.
struct ActivationStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_activation (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            application TEXT NOT NULL,
            user TEXT NOT NULL,
            state TEXT NOT NULL,
            blocked_reason TEXT,
            flags TEXT NOT NULL, -- JSON array of texts
            code TEXT,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            commit_phase TEXT NOT NULL,
            otp_salt BLOB,
            otp_digest BLOB, -- SHA-256
            otp_failures INTEGER NOT NULL,
            failed_attempts INTEGER NOT NULL,
            max_failed_attempts INTEGER NOT NULL,
            server_key BLOB NOT NULL, -- P-256 scalar
            server_point BLOB NOT NULL, -- X9.62, uncompressed
            device_point BLOB, -- X9.62, uncompressed
            master_secret BLOB,
            counter_data BLOB,
            counter INTEGER NOT NULL,
            name TEXT,
            platform TEXT,
            device_info TEXT,
            extras TEXT,
            external_id TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_used_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            changed_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_activation_user ON powerauth_activation (user, application)",
        "CREATE INDEX powerauth_activation_code ON powerauth_activation (code) WHERE code IS NOT NULL",
    ]

    func find(_ id: String, in db: Connection) throws -> Activation? {
        try db.first(Activation.self, "SELECT * FROM powerauth_activation WHERE id = \(id)")
    }

    /// Those of a user, newest first.
    func all(of user: String, in db: Connection) throws -> [Activation] {
        try db.all(
            Activation.self,
            "SELECT * FROM powerauth_activation WHERE user = \(user) ORDER BY created_at DESC, position DESC")
    }

    /// Everything, newest first.
    /// How many users of an application used a device with keys.
    func userCount(of application: String, usedSince date: Date, in db: Connection) throws -> Int {
        try db.value(
            Int.self,
            """
            SELECT COUNT(DISTINCT user) FROM powerauth_activation
            WHERE application = \(application) AND last_used_at >= \(date) AND master_secret IS NOT NULL
            """) ?? 0
    }

    func all(in db: Connection) throws -> [Activation] {
        try db.all(
            Activation.self, "SELECT * FROM powerauth_activation ORDER BY created_at DESC, position DESC")
    }

    /// The newest of everybody, newest first.
    func newest(_ count: Int, in db: Connection) throws -> [Activation] {
        try db.all(
            Activation.self,
            "SELECT * FROM powerauth_activation ORDER BY created_at DESC, position DESC LIMIT \(count)")
    }

    /// Users who have an active device, by name.
    func activeUsers(atMost count: Int, in db: Connection) throws -> [String] {
        struct Owner: RowDecodable {
            let name: String
            init(row: Row) throws { name = try row.text("user") }
        }
        return try db.all(
            Owner.self,
            """
            SELECT DISTINCT user FROM powerauth_activation WHERE state = 'ACTIVE' ORDER BY user LIMIT \(count)
            """
        ).map(\.name)
    }

    /// Those of an application with this code, newest first; a used code may appear again.
    func all(withCode code: String, in application: String, _ db: Connection) throws -> [Activation] {
        try db.all(
            Activation.self,
            """
            SELECT * FROM powerauth_activation WHERE code = \(code) AND application = \(application)
            ORDER BY position DESC
            """)
    }

    func insert(_ activation: Activation, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_activation (id, application, user, state, blocked_reason, flags, code, expires_at,
                commit_phase, otp_salt, otp_digest, otp_failures, failed_attempts, max_failed_attempts, server_key,
                server_point, device_point, master_secret, counter_data, counter, name, platform, device_info,
                extras, external_id, created_at, last_used_at, changed_at)
            VALUES (\(activation.id), \(activation.application), \(activation.user), \(activation.state.rawValue),
                \(activation.blockedReason), \(JSONValue(activation.flags).text), \(activation.code),
                \(activation.expiresAt), \(activation.commitPhase.rawValue), \(activation.otp?.salt),
                \(activation.otp?.digest), \(activation.otpFailures), \(activation.failedAttempts),
                \(activation.maxFailedAttempts), \(activation.serverKey), \(activation.serverPoint),
                \(activation.devicePoint), \(activation.masterSecret), \(activation.counterData),
                \(activation.counter), \(activation.name), \(activation.platform), \(activation.deviceInfo),
                \(activation.extras), \(activation.externalID), \(activation.createdAt),
                \(activation.lastUsedAt), \(activation.changedAt))
            """)
    }

    /// Writes everything that can change.
    func update(_ activation: Activation, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_activation
            SET state = \(activation.state.rawValue), blocked_reason = \(activation.blockedReason),
                flags = \(JSONValue(activation.flags).text), expires_at = \(activation.expiresAt),
                otp_salt = \(activation.otp?.salt), otp_digest = \(activation.otp?.digest),
                otp_failures = \(activation.otpFailures), failed_attempts = \(activation.failedAttempts),
                device_point = \(activation.devicePoint), master_secret = \(activation.masterSecret),
                counter_data = \(activation.counterData), counter = \(activation.counter),
                name = \(activation.name), platform = \(activation.platform),
                device_info = \(activation.deviceInfo), extras = \(activation.extras),
                external_id = \(activation.externalID), last_used_at = \(activation.lastUsedAt),
                changed_at = \(activation.changedAt)
            WHERE id = \(activation.id)
            """)
    }

    /// Writes what every use of an activation changes, and nothing else.
    func updateUse(_ activation: Activation, in db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_activation
            SET counter_data = \(activation.counterData), counter = \(activation.counter),
                failed_attempts = \(activation.failedAttempts), last_used_at = \(activation.lastUsedAt)
            WHERE id = \(activation.id)
            """)
    }
}
