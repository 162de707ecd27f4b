import Essentials
import SQLite

/// What a removed device, profile or enrollment leaves behind for seven days, so that the device hears why it is refused.
struct Tombstone: Sendable, Equatable, RowDecodable {
    static let lifetimeSeconds = 604_800.0

    enum Kind: String, Sendable, CaseIterable, Codable {
        case device, profile
        /// An enrollment that was revoked on the server; told to the device once.
        case enrollment
    }

    let kind: Kind
    let clientID: String
    /// Nil for a device.
    let profileID: String?
    /// A sentence for the developer.
    let reason: String
    let at: Date

    init(_ kind: Kind, clientID: String, profileID: String?, reason: String, at: Date) {
        (self.kind, self.clientID, self.profileID) = (kind, clientID, profileID)
        (self.reason, self.at) = (reason, at)
    }

    init(row: Row) throws {
        self.init(
            Kind(rawValue: try row.text("kind")) ?? .profile, clientID: try row.text("client_id"),
            profileID: try row.optionalText("profile_id"), reason: try row.text("reason"),
            at: try row.date("removed_at"))
    }
}
