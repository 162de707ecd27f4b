import Essentials
import SQLite

extension EnrollmentStore {
    /// Also one that expired.
    func pending(_ id: String, in db: Connection) throws -> PendingEnrollment? {
        try db.first(PendingEnrollment.self, "SELECT * FROM onegini_pending_enrollment WHERE id = \(id)")
    }

    /// Also one that expired.
    func pending(of profileID: String, on clientID: String, in db: Connection) throws -> PendingEnrollment? {
        try db.first(
            PendingEnrollment.self,
            """
            SELECT * FROM onegini_pending_enrollment WHERE client_id = \(clientID) AND profile_id = \(profileID)
            """)
    }

    /// Puts it in the place of the one that its profile has.
    func save(_ pending: PendingEnrollment, in db: Connection) throws {
        try removePending(of: pending.profileID, on: pending.clientID, in: db)
        try db.execute(
            """
            INSERT INTO onegini_pending_enrollment (id, client_id, profile_id, certificate, server_key, expires_at)
            VALUES (\(pending.id), \(pending.clientID), \(pending.profileID), \(pending.certificate),
                \(pending.serverKey), \(pending.expiresAt))
            """)
    }

    func removePending(of profileID: String, on clientID: String, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM onegini_pending_enrollment WHERE client_id = \(clientID) AND profile_id = \(profileID)
            """)
    }

    /// Whose push token this is; nil for nobody's.
    func holder(ofPushToken token: String, in db: Connection) throws -> Enrollment? {
        try db.first(
            Enrollment.self,
            "SELECT * FROM onegini_enrollment WHERE push_token = \(token) ORDER BY enrolled_at, rowid LIMIT 1"
        )
    }
}
