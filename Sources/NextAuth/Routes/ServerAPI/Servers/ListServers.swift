import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /servers/`: the servers that the key may see.
    ///
    /// - Request: `limit`, `marker` in the query.
    /// - Response: `200 {"servers": [Server], "totalnumber"}`.
    /// - Errors: 400; 401; 403 for a role that has `servers` nowhere.
    /// - Source: API description 2.2, `getServers`.
    func listServers(_ request: Request) throws -> Response {
        let (page, total) = try look { db, _ in
            let caller = try request.caller(in: db)
            let seen = try db.all(Server.self).filter { caller.grants.allow(.servers, on: $0.id) }
            guard !seen.isEmpty || caller.grants.allow(.servers, on: nil) else {
                throw BackEndRefusal.permissionsMissing([.servers], role: caller.role)
            }
            let rows = try seen.map { server in
                ListQuery.Row(
                    members: server.members(try Account.figures(of: server.id, in: db), for: request))
            }
            return try ListQuery(request).page(of: rows)
        }
        return try .json(["servers": .array(page), "totalnumber": .integer(total)] as JSONValue)
    }

    /// `GET /servers/{serverid}/`: a server's configuration.
    ///
    /// - Request: the id in standard Base64, percent-encoded or not, or base64url.
    /// - Response: `200 Server`.
    /// - Errors: 401; 403 without `servers` or `createserver`; 404.
    /// - Source: API description 2.2, `getServer`.
    func showServer(_ request: Request) throws -> Response {
        let members = try look { db, _ in
            let server = try request.requireServer([.servers, .createserver], in: db)
            return server.members(try Account.figures(of: server.id, in: db), for: request)
        }
        return try .json(JSONValue.object(members))
    }
}
