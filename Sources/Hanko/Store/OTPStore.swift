import Essentials
import SQLite

/// Secrets of authenticator apps, one a user. Their table stands with ``AccountSchema``.
enum OTPStore {
    static func secret(of userID: String, in db: Connection) throws -> OTPSecret? {
        try db.first(OTPSecret.self, "SELECT * FROM hanko_otp_secret WHERE user_id = \(userID)")
    }

    /// In the place of the one that may be there.
    static func insert(_ secret: OTPSecret, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_otp_secret (user_id, id, secret, created_at)
            VALUES (\(secret.userID), \(secret.id), \(secret.secret), \(secret.createdAt))
            ON CONFLICT (user_id) DO UPDATE SET
                id = excluded.id, secret = excluded.secret, created_at = excluded.created_at
            """)
    }

    static func delete(of userID: String, in db: Connection) throws {
        try db.execute("DELETE FROM hanko_otp_secret WHERE user_id = \(userID)")
    }

    static func export(from db: Connection) throws -> [OTPSecret] {
        try db.all(OTPSecret.self, "SELECT * FROM hanko_otp_secret ORDER BY rowid")
    }
}
