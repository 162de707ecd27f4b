import Essentials
import SQLite

/// The audit: its newest 10,000 lines.
struct AuditStore: Sendable {
    static let limit = 10_000

    func insert(_ entry: AuditEntry, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_audit (at, project_id, type, status, user_id, hash_mpin_id, device_name, client_id,
                ip_address)
            VALUES (\(entry.at), \(entry.projectID), \(entry.type), \(entry.status), \(entry.userID),
                \(entry.hashMPinID), \(entry.deviceName), \(entry.clientID), \(entry.ipAddress))
            """)
        try db.execute(
            """
            DELETE FROM miracl_audit WHERE position <=
                (SELECT position FROM miracl_audit ORDER BY position DESC LIMIT 1 OFFSET \(Self.limit))
            """)
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [AuditEntry] {
        try db.all(AuditEntry.self, "SELECT * FROM miracl_audit ORDER BY position")
    }
}
