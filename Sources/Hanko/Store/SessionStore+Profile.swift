import Essentials
import SQLite

/// What a signed-in user sees of the own sessions.
extension SessionStore {
    /// Those that a token could still name, the newest first.
    static func active(
        of userID: String, idleTimeoutSeconds: Double?, at now: Date, in db: Connection
    ) throws -> [Session] {
        try db.all(
            Session.self,
            """
            SELECT * FROM hanko_session WHERE user_id = \(userID) AND expires_at > \(now)
            ORDER BY created_at DESC, rowid DESC
            """
        ).filter { $0.secondsIdle(beyond: idleTimeoutSeconds, at: now) == nil }
    }

    static func delete(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_session WHERE id = \(id)")
    }
}
