import Essentials
import HTTP
import OpenID
import SQLite

// What the resources of the end-user API have in common.
extension Onegini {
    /// - Throws: 401, or 403 `insufficient_permissions`.
    @discardableResult
    func requireEndUserClient(_ request: Request) throws -> Client {
        try requireAPIClient(request, scope: "onegini_api_end_user", denial: "insufficient_permissions")
    }

    /// Who a client is, for lists: its name, and the device's where it is the installation of an app.
    func clientMembers(_ id: String, in db: Connection) throws -> [String: JSONValue] {
        let client = try server.clients.find(id, in: db)
        var members: [String: JSONValue] = ["client_name": .string(client?.name ?? id)]
        if let device = try db.device(id) { members["device_name"] = .string(device.name) }
        return members
    }

    /// Grants of the user that have not ended, oldest first.
    func liveGrants(of user: String, in db: Connection) throws -> [Grant] {
        try server.grants.all(.init(subject: user), in: db).filter { $0.end == nil }
    }

    /// The list under `name`, or the API's 404 in the place of an empty one.
    ///
    /// - Parameter what: as the error spells it.
    func list(_ name: String, _ elements: [JSONValue], of user: String, what: String) throws -> Response {
        if elements.isEmpty { throw AdministrationRefusal.nothingFound(what: what, of: user) }
        return .management(.object([name: .array(elements)]))
    }
}
