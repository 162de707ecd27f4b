import Essentials
import SQLite

/// Who takes part in mobile authentication, on which device.
struct EnrollmentStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE onegini_enrollment (
            client_id TEXT NOT NULL,
            profile_id TEXT NOT NULL,
            subject TEXT NOT NULL,
            certificate TEXT NOT NULL, -- armored OpenPGP
            push_token TEXT,
            server_key TEXT,
            enrolled_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            PRIMARY KEY (client_id, profile_id),
            FOREIGN KEY (client_id, profile_id)
                REFERENCES onegini_profile (client_id, profile_id) ON DELETE CASCADE
        ) STRICT
        """,
        """
        CREATE TABLE onegini_pending_enrollment (
            id TEXT NOT NULL PRIMARY KEY, -- UUID
            client_id TEXT NOT NULL,
            profile_id TEXT NOT NULL,
            certificate TEXT, -- armored OpenPGP, once it was sent
            server_key TEXT,
            expires_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            FOREIGN KEY (client_id, profile_id)
                REFERENCES onegini_profile (client_id, profile_id) ON DELETE CASCADE
        ) STRICT
        """,
    ]

    func find(_ profileID: String, on clientID: String, in db: Connection) throws -> Enrollment? {
        try db.first(
            Enrollment.self,
            "SELECT * FROM onegini_enrollment WHERE client_id = \(clientID) AND profile_id = \(profileID)")
    }

    /// Oldest first.
    func all(of subject: String, in db: Connection) throws -> [Enrollment] {
        try db.all(
            Enrollment.self,
            "SELECT * FROM onegini_enrollment WHERE subject = \(subject) ORDER BY enrolled_at, rowid")
    }

    /// Every enrollment, in the order in which they came.
    func all(in db: Connection) throws -> [Enrollment] {
        try db.all(Enrollment.self, "SELECT * FROM onegini_enrollment ORDER BY rowid")
    }

    /// Adds the enrollment, or puts it in the place of the one that its profile has.
    func save(_ enrollment: Enrollment, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO onegini_enrollment (client_id, profile_id, subject, certificate, push_token, server_key,
                enrolled_at)
            VALUES (\(enrollment.clientID), \(enrollment.profileID), \(enrollment.subject),
                \(enrollment.certificate), \(enrollment.pushToken), \(enrollment.serverKey),
                \(enrollment.enrolledAt))
            ON CONFLICT DO UPDATE SET subject = excluded.subject, certificate = excluded.certificate,
                push_token = excluded.push_token, server_key = excluded.server_key,
                enrolled_at = excluded.enrolled_at
            """)
    }

    func setPushToken(
        _ token: String?, of profileID: String, on clientID: String, in db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE onegini_enrollment SET push_token = \(token)
            WHERE client_id = \(clientID) AND profile_id = \(profileID)
            """)
    }

    /// False when there was none.
    @discardableResult
    func remove(_ profileID: String, on clientID: String, in db: Connection) throws -> Bool {
        try db.execute(
            "DELETE FROM onegini_enrollment WHERE client_id = \(clientID) AND profile_id = \(profileID)")
        return db.changes > 0
    }
}
