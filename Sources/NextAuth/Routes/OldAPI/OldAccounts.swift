import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /api/servers/{server}/accounts/{accountid}/`: an account.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 Account` as the older API has it.
    /// - Errors: 401; 403; 404.
    /// - Source: API description 0.0.3.
    func showOldAccount(_ request: Request) throws -> Response {
        try oldAccount(showAccount(request), request)
    }

    /// `PUT /api/servers/{server}/accounts/{accountid}/`: blocks or unblocks an account.
    ///
    /// - Request: `blocked` in the query.
    /// - Response: `200 Account`.
    /// - Errors: 400; 401; 403; 404.
    /// - Source: API description 0.0.3.
    func updateOldAccount(_ request: Request) throws -> Response {
        try oldAccount(updateAccount(request), request)
    }

    /// `GET /api/servers/{server}/users/{userid}/`: a user's accounts.
    ///
    /// - Request: perhaps `realm` in the query.
    /// - Response: `200 [Account]`; the description has one where a user may have several, which is *assumed* to be a slip.
    /// - Errors: 401; 403; 404 for the server.
    /// - Source: API description 0.0.3.
    func listOldUserAccounts(_ request: Request) throws -> Response {
        let accounts = try JSONValue(parsing: listUserAccounts(request.withUserOfRealm).bytes)["accounts"]
        let number = try serverNumber(request)
        return try .json(JSONValue.array((accounts?.array ?? []).map { Self.oldAccount($0, number) }))
    }

    /// `GET /api/servers/{server}/users/`: the ids of a server's users.
    ///
    /// - Request: perhaps `realm` in the query.
    /// - Response: `200 ["…"]`; the description has no shape, this one is *assumed*.
    /// - Errors: 401; 403; 404.
    /// - Source: API description 0.0.3.
    func listOldUsers(_ request: Request) throws -> Response {
        let users = try JSONValue(parsing: listUsers(request).bytes)["users"]?.array ?? []
        return try .json(JSONValue(users.compactMap { $0["userid"]?.string }.compactMap(request.userInRealm)))
    }

    private func oldAccount(_ response: Response, _ request: Request) throws -> Response {
        try .json(Self.oldAccount(JSONValue(parsing: response.bytes), serverNumber(request)))
    }

    /// The older API numbers its servers; ours are numbered in the order in which they were made.
    private func serverNumber(_ request: Request) throws -> Int {
        let id = Server.standardID(request.parameter("serverid"))
        return try look { db, _ in try db.all(Server.self).prefix { $0.id != id }.count + 1 }
    }

    /// The keys of an account are never revoked here; the protocol's version is that of the open one.
    private static func oldAccount(_ account: JSONValue, _ server: Int) -> JSONValue {
        let kept = ["id", "description", "blocked", "created", "lastlogin"]
        var members = (account.object ?? [:]).filter { kept.contains($0.key) }
        members["permVersion"] = 1
        members["publicKeyAuthRevoked"] = false
        members["publicKeyTransRevoked"] = false
        members["serverId"] = .integer(server)
        return .object(members)
    }
}
