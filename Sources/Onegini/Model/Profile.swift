import Essentials
import SQLite

/// A user registered on a device.
struct Profile: Sendable, Equatable, RowDecodable {
    var clientID: String
    /// Six of `A-Z0-9`, unique on its device.
    var id: String
    /// `sub` of the user.
    var subject: String
    /// Wrong refresh tokens, and wrong PINs of the convenience mode, since the last right one.
    var failures: Int
    /// Of the convenience mode: PBKDF2 of the PIN.
    var pinSalt: [UInt8]?
    var pinDigest: [UInt8]?
    var createdAt: Date

    init(
        clientID: String, id: String, subject: String, failures: Int = 0, pinSalt: [UInt8]? = nil,
        pinDigest: [UInt8]? = nil, createdAt: Date
    ) {
        (self.clientID, self.id, self.subject, self.failures) = (clientID, id, subject, failures)
        (self.pinSalt, self.pinDigest, self.createdAt) = (pinSalt, pinDigest, createdAt)
    }

    init(row: Row) throws {
        self.init(
            clientID: try row.text("client_id"), id: try row.text("profile_id"),
            subject: try row.text("subject"), failures: try row.integer("failures"),
            pinSalt: try row.optionalBlob("pin_salt"), pinDigest: try row.optionalBlob("pin_digest"),
            createdAt: try row.date("created_at"))
    }
}
