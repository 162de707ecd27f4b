import Essentials
import SQLite

/// A key of the server for encrypted requests of protocol 3.3, bound to whom it was given.
struct TemporaryKey: Sendable, Equatable, RowDecodable {
    /// Version 4 UUID in lower case.
    let id: String
    /// `appKey`, Base64 text.
    let applicationKey: String
    /// Nil in application scope.
    let activation: String?
    /// Private key, 32 bytes.
    let scalar: [UInt8]
    let expiresAt: Date

    init(id: String, applicationKey: String, activation: String?, scalar: [UInt8], expiresAt: Date) {
        (self.id, self.applicationKey, self.activation) = (id, applicationKey, activation)
        (self.scalar, self.expiresAt) = (scalar, expiresAt)
    }

    init(row: Row) throws {
        self.init(
            id: try row.text("id"), applicationKey: try row.text("application_key"),
            activation: try row.optionalText("activation"), scalar: try row.blob("scalar"),
            expiresAt: try row.date("expires_at"))
    }
}
