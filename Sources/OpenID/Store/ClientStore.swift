package import Essentials
package import SQLite

/// The clients of one authorization server.
package struct ClientStore: Sendable {
    let server: String

    /// Without waiting for the database where the client is known already.
    package func find(_ id: String, in database: Database) throws -> Client? {
        try database.read(keeping: "openid_client \(server) \(id)") { db in try find(id, in: db) }
    }

    package func find(_ id: String, in db: Connection) throws -> Client? {
        try db.first(Client.self, "SELECT * FROM openid_client WHERE server = \(server) AND id = \(id)")
    }

    /// In the order in which they came.
    package func all(in db: Connection) throws -> [Client] {
        try db.all(Client.self, "SELECT * FROM openid_client WHERE server = \(server) ORDER BY position")
    }

    func count(kind: String, in db: Connection) throws -> Int {
        try db.value(
            Int.self, "SELECT count(*) FROM openid_client WHERE server = \(server) AND kind = \(kind)") ?? 0
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for an id that is taken.
    package func insert(_ client: Client, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_client (server, id, secret, kind, metadata, registration_digest, created_at)
            VALUES (\(server), \(client.id), \(client.secret), \(client.kind),
                \(MetadataCache.text(of: client.metadata)), \(client.registrationDigest), \(client.createdAt))
            """)
    }

    /// Replaces everything but the id and the time of making.
    package func update(_ client: Client, in db: Connection) throws {
        db.forgetReads()
        try db.execute(
            """
            UPDATE openid_client SET secret = \(client.secret), kind = \(client.kind),
                metadata = \(MetadataCache.text(of: client.metadata)),
                registration_digest = \(client.registrationDigest)
            WHERE server = \(server) AND id = \(client.id)
            """)
    }

    /// Takes the client away and ends its grants, consents and open requests. False when there was none.
    @discardableResult
    package func remove(_ id: String, at now: Date, in db: Connection) throws -> Bool {
        db.forgetReads()
        try GrantStore(server: server).end(.init(clientID: id), .clientRemoved, at: now, in: db)
        try db.execute("DELETE FROM openid_consent WHERE server = \(server) AND client_id = \(id)")
        try db.execute("DELETE FROM openid_pushed_request WHERE server = \(server) AND client_id = \(id)")
        try db.execute("DELETE FROM openid_device_request WHERE server = \(server) AND client_id = \(id)")
        try db.execute("DELETE FROM openid_client WHERE server = \(server) AND id = \(id)")
        return db.changes > 0
    }
}
