package import Essentials
package import SQLite

/// A client assertion that was used, until it would be too old anyway; or a DPoP proof, whose client is `jkt:` and the thumbprint of its
/// key. Source: RFC 7523 §3.
package struct UsedAssertion: Record {
    package static let table = Table("openid_assertion", key: "position")

    package let clientID: String
    package let id: String
    package let expiresAt: Date

    package enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case id = "jti"
        case expiresAt = "expires_at"
    }
}

extension ServerRecords<UsedAssertion> {
    /// Remembers a use, and forgets the client's that do not matter any more.
    ///
    /// - Returns: false when the client used this one before.
    func spend(_ assertion: UsedAssertion, at now: Date, in db: Connection) throws -> Bool {
        let own: SQL = "client_id = \(assertion.clientID)"
        try delete(where: "\(fragment: own) AND expires_at <= \(now)", in: db)
        guard try first(where: "\(fragment: own) AND jti = \(assertion.id)", in: db) == nil else {
            return false
        }
        try insert(assertion, in: db)
        return true
    }
}
