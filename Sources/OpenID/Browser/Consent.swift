package import Essentials
package import SQLite

/// One user's word to one client, remembered so that the user is asked once.
package struct Consent: Record, Equatable {
    package static let table: Table = "openid_consent"

    /// UUID
    package var id: String
    package var subject: String
    package var clientID: String
    package var scope: ScopeList
    package var givenAt: Date

    package enum CodingKeys: String, CodingKey {
        case id
        case subject = "sub"
        case clientID = "client_id"
        case scope
        case givenAt = "given_at"
    }

    package init(id: String, subject: String, clientID: String, scope: ScopeList, givenAt: Date) {
        (self.id, self.subject, self.clientID) = (id, subject, clientID)
        (self.scope, self.givenAt) = (scope, givenAt)
    }
}

extension ServerRecords<Consent> {
    package func find(_ subject: String, _ clientID: String, in db: Connection) throws -> Consent? {
        try first(where: "sub = \(subject) AND client_id = \(clientID)", in: db)
    }

    /// Oldest first.
    package func all(of subject: String, in db: Connection) throws -> [Consent] {
        try all(where: "sub = \(subject)", in: db)
    }

    /// Adds to what was allowed before.
    package func give(_ consent: Consent, in db: Connection) throws {
        guard var before = try find(consent.subject, consent.clientID, in: db) else {
            return try insert(consent, in: db)
        }
        before.scope = ScopeList(before.scope.names + consent.scope.names)
        before.givenAt = consent.givenAt
        try update(before, in: db)
    }

    package func remove(_ id: String, in db: Connection) throws { try delete(where: "id = \(id)", in: db) }
}
