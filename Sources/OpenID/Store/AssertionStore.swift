import Essentials
import SQLite

/// The client assertions that were used, until they would be too old anyway. Source: RFC 7523 §3.
package struct AssertionStore: Sendable {
    let server: String

    /// False when the client used this one before.
    func insert(_ id: String, of clientID: String, until expiry: Date, in db: Connection) throws -> Bool {
        try db.execute(
            """
            INSERT INTO openid_assertion (server, client_id, jti, expires_at)
            VALUES (\(server), \(clientID), \(id), \(expiry))
            ON CONFLICT DO NOTHING
            """)
        return db.changes > 0
    }

    func removeExpired(of clientID: String, at now: Date, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM openid_assertion
            WHERE server = \(server) AND client_id = \(clientID) AND expires_at <= \(now)
            """)
    }
}

extension AuthorizationServer {
    var assertions: AssertionStore { AssertionStore(server: profile.name) }
}
