import Essentials
import SQLite

/// A secret of one activation by which it authenticates requests without using up a counter value.
struct Token: Sendable, Equatable, RowDecodable {
    /// Version 4 UUID in lower case.
    let id: String
    let activation: String
    /// 16 bytes.
    let secret: [UInt8]
    /// Factors with which it was made.
    let type: SignatureType
    let createdAt: Date

    init(id: String, activation: String, secret: [UInt8], type: SignatureType, createdAt: Date) {
        (self.id, self.activation, self.secret) = (id, activation, secret)
        (self.type, self.createdAt) = (type, createdAt)
    }

    init(row: Row) throws {
        guard let type = SignatureType(rawValue: try row.text("type")) else {
            throw StoredValueUnknown(table: "powerauth_token", id: try row.text("id"))
        }
        self.init(
            id: try row.text("id"), activation: try row.text("activation"), secret: try row.blob("secret"),
            type: type, createdAt: try row.date("created_at"))
    }
}
