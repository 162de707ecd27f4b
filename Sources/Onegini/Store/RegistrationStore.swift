import Essentials
import SQLite

/// Challenges of devices that are about to register.
struct RegistrationStore: Sendable {
    /// So many may wait at a time; the oldest gives way.
    static let limit = 10_000

    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_registration (
            position INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE, -- UUID
            challenge TEXT NOT NULL, -- hexadecimal
            application TEXT NOT NULL,
            platform TEXT NOT NULL,
            version TEXT NOT NULL,
            os_version TEXT,
            wrong_responses INTEGER NOT NULL,
            expires_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]

    /// Also one that expired; nil for one that was used, dropped or never made.
    func find(_ identifier: String, in db: Connection) throws -> PendingRegistration? {
        try db.first(
            PendingRegistration.self, "SELECT * FROM onegini_registration WHERE identifier = \(identifier)")
    }

    func all(in db: Connection) throws -> [PendingRegistration] {
        try db.all(PendingRegistration.self, "SELECT * FROM onegini_registration ORDER BY position")
    }

    func insert(_ pending: PendingRegistration, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_registration (identifier, challenge, application, platform, version, os_version,
                wrong_responses, expires_at)
            VALUES (\(pending.identifier), \(pending.challenge), \(pending.application), \(pending.platform),
                \(pending.version), \(pending.osVersion), \(pending.wrongResponses), \(pending.expiresAt))
            """)
        try db.execute(
            "DELETE FROM onegini_registration WHERE position <= \(db.lastInsertID - Self.limit)")
    }

    func setWrongResponses(_ count: Int, of identifier: String, in db: Connection) throws {
        try db.execute(
            """
            UPDATE onegini_registration SET wrong_responses = \(count) WHERE identifier = \(identifier)
            """)
    }

    func remove(_ identifier: String, in db: Connection) throws {
        try db.execute("DELETE FROM onegini_registration WHERE identifier = \(identifier)")
    }
}
