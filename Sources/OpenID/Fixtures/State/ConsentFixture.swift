package import Essentials

/// A ``Consent`` in a fixture file.
package struct ConsentFixture: Codable, Sendable {
    package var id: String
    package var subject: String
    package var clientID: String
    package var scope: String
    package var givenAt: Date

    enum CodingKeys: String, CodingKey {
        case id
        case subject = "sub"
        case clientID = "client_id"
        case scope
        case givenAt = "given_at"
    }

    init(_ consent: Consent) {
        (id, subject, clientID) = (consent.id, consent.subject, consent.clientID)
        (scope, givenAt) = (consent.scope.text, consent.givenAt)
    }

    var consent: Consent {
        Consent(id: id, subject: subject, clientID: clientID, scope: ScopeList(scope), givenAt: givenAt)
    }
}
