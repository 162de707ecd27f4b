package import Essentials
package import SQLite

/// A client assertion that was used, in a fixture file; or a DPoP proof, whose client is `jkt:` and the thumbprint of its key.
package struct AssertionFixture: Codable, Sendable {
    package var clientID: String
    package var id: String
    package var expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case clientID = "client_id"
        case id = "jti"
        case expiresAt = "expires_at"
    }
}

extension AssertionFixture: RowDecodable {
    package init(row: Row) throws {
        (clientID, id) = (try row.text("client_id"), try row.text("jti"))
        expiresAt = try row.date("expires_at")
    }
}
