import Essentials
import SQLite

/// A profile on a device that takes part in mobile authentication.
struct Enrollment: Sendable, Equatable, RowDecodable {
    var clientID: String
    var profileID: String
    var subject: String
    /// The device's OpenPGP certificate, armored.
    var certificate: String
    /// Nil without push.
    var pushToken: String?
    /// Armored private keys of the server, where each enrollment has its own; nil for the world's one.
    var serverKey: String?
    var enrolledAt: Date

    init(
        clientID: String, profileID: String, subject: String, certificate: String, pushToken: String? = nil,
        serverKey: String? = nil, enrolledAt: Date
    ) {
        (self.clientID, self.profileID, self.subject) = (clientID, profileID, subject)
        (self.certificate, self.pushToken) = (certificate, pushToken)
        (self.serverKey, self.enrolledAt) = (serverKey, enrolledAt)
    }

    init(row: Row) throws {
        self.init(
            clientID: try row.text("client_id"), profileID: try row.text("profile_id"),
            subject: try row.text("subject"), certificate: try row.text("certificate"),
            pushToken: try row.optionalText("push_token"), serverKey: try row.optionalText("server_key"),
            enrolledAt: try row.date("enrolled_at"))
    }
}
