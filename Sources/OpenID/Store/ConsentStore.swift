package import Essentials
package import SQLite

/// What users allowed clients, remembered so that they are asked once.
package struct ConsentStore: Sendable {
    let server: String

    package func find(_ subject: String, _ clientID: String, in db: Connection) throws -> Consent? {
        try db.first(
            Consent.self,
            """
            SELECT * FROM openid_consent
            WHERE server = \(server) AND subject = \(subject) AND client_id = \(clientID)
            """)
    }

    /// Oldest first.
    package func all(of subject: String, in db: Connection) throws -> [Consent] {
        try db.all(
            Consent.self,
            "SELECT * FROM openid_consent WHERE server = \(server) AND subject = \(subject) ORDER BY rowid")
    }

    /// Adds to what was allowed before.
    package func give(_ consent: Consent, in db: Connection) throws {
        let before = try find(consent.subject, consent.clientID, in: db)?.scope.names ?? []
        let scope = ScopeList(before + consent.scope.names)
        try db.execute(
            """
            INSERT INTO openid_consent (id, server, subject, client_id, scope, given_at)
            VALUES (\(consent.id), \(server), \(consent.subject), \(consent.clientID), \(scope.text),
                \(consent.givenAt))
            ON CONFLICT (server, subject, client_id)
            DO UPDATE SET scope = excluded.scope, given_at = excluded.given_at
            """)
    }

    package func remove(_ id: String, in db: Connection) throws {
        try db.execute("DELETE FROM openid_consent WHERE server = \(server) AND id = \(id)")
    }
}

/// One user's word to one client.
package struct Consent: Sendable, Equatable, RowDecodable {
    /// UUID
    package var id: String
    package var subject: String
    package var clientID: String
    package var scope: ScopeList
    package var givenAt: Date

    package init(id: String, subject: String, clientID: String, scope: ScopeList, givenAt: Date) {
        (self.id, self.subject, self.clientID) = (id, subject, clientID)
        (self.scope, self.givenAt) = (scope, givenAt)
    }

    package init(row: Row) throws {
        self.init(
            id: try row.text("id"), subject: try row.text("subject"), clientID: try row.text("client_id"),
            scope: ScopeList(try row.text("scope")), givenAt: try row.date("given_at"))
    }
}
