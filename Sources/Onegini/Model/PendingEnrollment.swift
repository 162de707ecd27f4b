import Essentials
import SQLite

/// An enrollment that was begun and not acknowledged yet; a profile has one at most.
struct PendingEnrollment: Sendable, Equatable, RowDecodable {
    static let lifetimeSeconds = 120

    /// UUID
    var id: String
    var clientID: String
    var profileID: String
    /// The device's OpenPGP certificate, armored; nil as long as it sent none.
    var certificate: String?
    /// As in ``Enrollment/serverKey``.
    var serverKey: String?
    var expiresAt: Date

    init(
        id: String, clientID: String, profileID: String, certificate: String? = nil, serverKey: String? = nil,
        expiresAt: Date
    ) {
        (self.id, self.clientID, self.profileID) = (id, clientID, profileID)
        (self.certificate, self.serverKey, self.expiresAt) = (certificate, serverKey, expiresAt)
    }

    init(row: Row) throws {
        self.init(
            id: try row.text("id"), clientID: try row.text("client_id"),
            profileID: try row.text("profile_id"), certificate: try row.optionalText("certificate"),
            serverKey: try row.optionalText("server_key"), expiresAt: try row.date("expires_at"))
    }
}
