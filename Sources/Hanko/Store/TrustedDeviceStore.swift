import Essentials
import SQLite

/// Devices that were trusted. Their table stands with ``AccountSchema``.
enum TrustedDeviceStore {
    /// Devices a user may have; the oldest make room.
    static let limit = 100

    static func isTrusted(_ token: String, by userID: String, at now: Date, in db: Connection) throws -> Bool
    {
        try db.first(
            TrustedDevice.self,
            """
            SELECT * FROM hanko_trusted_device
            WHERE token = \(token) AND user_id = \(userID) AND expires_at > \(now)
            """) != nil
    }

    static func insert(_ device: TrustedDevice, into db: Connection) throws {
        try db.execute(
            """
            INSERT INTO hanko_trusted_device (token, user_id, created_at, expires_at)
            VALUES (\(device.token), \(device.userID), \(device.createdAt), \(device.expiresAt))
            """)
        try db.execute(
            """
            DELETE FROM hanko_trusted_device WHERE user_id = \(device.userID) AND token NOT IN (
                SELECT token FROM hanko_trusted_device WHERE user_id = \(device.userID)
                ORDER BY rowid DESC LIMIT \(limit)
            )
            """)
    }

    static func export(from db: Connection) throws -> [TrustedDevice] {
        try db.all(TrustedDevice.self, "SELECT * FROM hanko_trusted_device ORDER BY rowid")
    }
}
