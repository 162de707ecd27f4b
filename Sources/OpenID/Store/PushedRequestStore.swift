package import Essentials
package import HTTP
package import SQLite

/// Authorization requests that clients sent ahead, until they are used. Source: RFC 9126.
package struct PushedRequestStore: Sendable {
    /// What every `request_uri` of ours begins with. Source: RFC 9126 §2.2.
    package static let prefix = "urn:ietf:params:oauth:request_uri:"

    let server: String

    /// The parameters behind a `request_uri`, which stay there: ``consume(_:in:)`` takes them away when the user is done.
    package func find(
        _ requestURI: String, clientID: String, at now: Date, in db: Connection
    ) throws -> Result<Form, PushedRequestFault> {
        guard let request = try stored(requestURI, in: db) else { return .failure(.unknown) }
        guard request.clientID == clientID else { return .failure(.foreign(clientID: request.clientID)) }
        guard now < request.expiresAt else { return .failure(.expired(at: request.expiresAt)) }
        return .success(request.form)
    }

    /// False when it was not there any more: somebody else used it.
    @discardableResult
    package func consume(_ requestURI: String, in db: Connection) throws -> Bool {
        let digest = PushedRequest.digest(of: requestURI)
        try db.execute(
            "DELETE FROM openid_pushed_request WHERE server = \(server) AND digest = \(digest)")
        return db.changes > 0
    }

    package func insert(_ request: PushedRequest, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_pushed_request (digest, server, client_id, parameters, expires_at)
            VALUES (\(request.digest), \(server), \(request.clientID), \(request.parameters),
                \(request.expiresAt))
            """)
    }

    /// Forgets all but the newest; to be called right after one was inserted.
    func removeOldest(keeping limit: Int, in db: Connection) throws {
        try db.execute(
            "DELETE FROM openid_pushed_request WHERE server = \(server) AND rowid <= \(db.lastInsertID - limit)"
        )
    }

    /// Takes away what nobody came for.
    func removeExpired(at now: Date, in db: Connection) throws {
        try db.execute(
            "DELETE FROM openid_pushed_request WHERE server = \(server) AND expires_at <= \(now)")
    }

    /// Oldest first.
    func all(in db: Connection) throws -> [PushedRequest] {
        try db.all(
            PushedRequest.self,
            "SELECT * FROM openid_pushed_request WHERE server = \(server) ORDER BY expires_at, rowid")
    }

    private func stored(_ requestURI: String, in db: Connection) throws -> PushedRequest? {
        try db.first(
            PushedRequest.self,
            """
            SELECT * FROM openid_pushed_request
            WHERE server = \(server) AND digest = \(PushedRequest.digest(of: requestURI))
            """)
    }
}
