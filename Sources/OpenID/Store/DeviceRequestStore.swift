package import Essentials
package import SQLite

/// The devices that wait for a user at one authorization server.
package struct DeviceRequestStore: Sendable {
    let server: String

    package func find(_ digest: [UInt8], in db: Connection) throws -> DeviceRequest? {
        try db.first(
            DeviceRequest.self,
            "SELECT * FROM openid_device_request WHERE server = \(server) AND digest = \(digest)")
    }

    /// - Parameter userCode: ``UserCode/normalized(_:)``.
    package func find(userCode: String, in db: Connection) throws -> DeviceRequest? {
        try db.first(
            DeviceRequest.self,
            "SELECT * FROM openid_device_request WHERE server = \(server) AND user_code = \(userCode)")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for a user code that is taken.
    package func insert(_ request: DeviceRequest, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_device_request (digest, server, user_code, client_id, scope, audience, issuer, state,
                grant_id, interval_s, polled_at, expires_at)
            VALUES (\(request.digest), \(server), \(request.userCode), \(request.clientID),
                \(request.scope.text), \(request.audience.joined(separator: " ")), \(request.issuer),
                \(request.state.rawValue), \(request.grantID),
                \(request.interval), \(request.polledAt), \(request.expiresAt))
            """)
    }

    /// The user said yes; the grant stands in the database.
    package func approve(_ digest: [UInt8], grantID: String, in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_device_request SET state = 'approved', grant_id = \(grantID)
            WHERE server = \(server) AND digest = \(digest) AND state = 'pending'
            """)
    }

    package func set(_ state: DeviceRequest.State, of digest: [UInt8], in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_device_request SET state = \(state.rawValue)
            WHERE server = \(server) AND digest = \(digest)
            """)
    }

    /// Remembers a poll and the seconds that the device has to wait from now on.
    package func notePoll(
        of digest: [UInt8], at now: Date, interval: Int, in db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE openid_device_request SET polled_at = \(now), interval_s = \(interval)
            WHERE server = \(server) AND digest = \(digest)
            """)
    }

    /// Forgets those whose time was over before `time`, and the oldest when there are more than `limit`.
    package func removeExpired(before time: Date, keeping limit: Int, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM openid_device_request
            WHERE server = \(server) AND (expires_at < \(time) OR rowid <= \(db.lastInsertID - limit))
            """)
    }
}
