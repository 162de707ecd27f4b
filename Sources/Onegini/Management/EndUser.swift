import Essentials
import HTTP
import OpenID
import SQLite

// What the resources of the end-user API have in common.
extension AuthorizationServer {
    /// Who a client is, for lists: its name, and the device's where it is the installation of an app.
    func clientMembers(_ id: String, in db: Connection) throws -> [String: JSONValue] {
        let client = try clients.find(id, in: db)
        var members: [String: JSONValue] = ["client_name": .string(client?.name ?? id)]
        if let device = try db.device(id) { members["device_name"] = .string(device.name) }
        return members
    }

    /// Grants of the user that have not ended, oldest first.
    func liveGrants(of user: String, in db: Connection) throws -> [Grant] {
        try grants.all(.init(subject: user), in: db).filter { $0.end == nil }
    }

    /// Whether the grant has a refresh token that can still be used.
    func hasRefreshToken(_ grant: Grant, at now: Date, in db: Connection) throws -> Bool {
        try refreshTokens.ofGrant(grant.id, in: db)
            .contains { $0.end == nil && $0.spentAt == nil && now < $0.expiresAt }
    }
}
