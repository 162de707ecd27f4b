package import Essentials
package import SQLite

/// A software authenticator of a world, as it is kept. The console says what its settings mean.
package struct KeptAuthenticator: Sendable, Equatable, RowDecodable {
    /// UUID
    package let id: String
    package var name: String?
    /// Name of the phone whose passkeys it keeps; nil for one by itself.
    package let phone: String?
    /// nil for the server's own origin.
    package var origin: String?
    /// How it behaves: JSON.
    package var behaviour: [UInt8]
    package let createdAt: Date
    /// Oldest first.
    package var credentials: [KeptCredential] = []

    package init(
        id: String, name: String? = nil, phone: String? = nil, origin: String? = nil, behaviour: [UInt8],
        createdAt: Date
    ) {
        (self.id, self.name, self.phone, self.origin) = (id, name, phone, origin)
        (self.behaviour, self.createdAt) = (behaviour, createdAt)
    }

    package init(row: Row) throws {
        self.init(
            id: try row.text("id"), name: try row.optionalText("name"),
            phone: try row.optionalText("phone"), origin: try row.optionalText("origin"),
            behaviour: Array(try row.text("behaviour").utf8), createdAt: try row.date("created_at"))
    }
}
