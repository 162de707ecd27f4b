import Essentials
import SQLite

/// Devices, the profiles on them, and what removed ones leave behind.
struct DeviceStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_device (
            client_id TEXT NOT NULL PRIMARY KEY,
            application TEXT NOT NULL,
            platform TEXT NOT NULL,
            version TEXT NOT NULL,
            name TEXT NOT NULL,
            model TEXT,
            os_version TEXT,
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            last_login_at INTEGER -- milliseconds since 1970 UTC
        ) STRICT
        """,
        """
        CREATE TABLE onegini_profile (
            client_id TEXT NOT NULL REFERENCES onegini_device (client_id) ON DELETE CASCADE,
            profile_id TEXT NOT NULL,
            subject TEXT NOT NULL,
            failures INTEGER NOT NULL,
            pin_salt BLOB,
            pin_digest BLOB, -- PBKDF2-HMAC-SHA256
            created_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (client_id, profile_id)
        ) STRICT
        """,
        """
        CREATE TABLE onegini_tombstone (
            kind TEXT NOT NULL,
            client_id TEXT NOT NULL,
            profile_id TEXT,
            reason TEXT NOT NULL,
            removed_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX onegini_tombstone_client ON onegini_tombstone (client_id, profile_id)",
        """
        CREATE TABLE onegini_removed_profile (
            client_id TEXT NOT NULL REFERENCES onegini_device (client_id) ON DELETE CASCADE,
            profile_id TEXT NOT NULL,
            PRIMARY KEY (client_id, profile_id)
        ) STRICT
        """,
    ]

    func device(_ clientID: String, in db: Connection) throws -> Device? {
        try db.first(Device.self, "SELECT * FROM onegini_device WHERE client_id = \(clientID)")
    }

    /// The application that runs on a device; nil for a client that is none.
    func application(of clientID: String, in db: Connection) throws -> String? {
        try db.value(String.self, "SELECT application FROM onegini_device WHERE client_id = \(clientID)")
    }

    /// Devices on which the user has a profile, oldest first.
    func devices(of subject: String, in db: Connection) throws -> [Device] {
        try db.all(
            Device.self,
            """
            SELECT * FROM onegini_device WHERE client_id IN
                (SELECT client_id FROM onegini_profile WHERE subject = \(subject))
            ORDER BY created_at, rowid
            """)
    }

    func profile(_ id: String, on clientID: String, in db: Connection) throws -> Profile? {
        try db.first(
            Profile.self,
            "SELECT * FROM onegini_profile WHERE client_id = \(clientID) AND profile_id = \(id)")
    }

    /// In the order in which they were registered.
    func profiles(on clientID: String, in db: Connection) throws -> [Profile] {
        try db.all(
            Profile.self,
            "SELECT * FROM onegini_profile WHERE client_id = \(clientID) ORDER BY created_at, rowid")
    }

    /// The newest that fits and is not older than seven days.
    func tombstone(
        _ kind: Tombstone.Kind, of clientID: String, profile: String?, at now: Date, in db: Connection
    ) throws -> Tombstone? {
        try db.first(
            Tombstone.self,
            """
            SELECT * FROM onegini_tombstone
            WHERE kind = \(kind.rawValue) AND client_id = \(clientID) AND profile_id IS \(profile)
                AND removed_at > \(now - Tombstone.lifetimeSeconds)
            ORDER BY rowid DESC LIMIT 1
            """)
    }

    func insert(_ tombstone: Tombstone, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_tombstone (kind, client_id, profile_id, reason, removed_at)
            VALUES (\(tombstone.kind.rawValue), \(tombstone.clientID), \(tombstone.profileID),
                \(tombstone.reason), \(tombstone.at))
            """)
    }
}
