import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /servers/{serverid}/permissions/`: roles and what they may do on this server; who may do it everywhere is not listed.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"permissions": [{"acl": "sessions,users", "role", "server"}]}`.
    /// - Errors: 401; 403 without `servers`; 404.
    /// - Source: API description 2.2, `getAllPermissions`.
    func listPermissions(_ request: Request) throws -> Response {
        let grants = try look { db, _ in
            try Grant.all(on: request.requireServer(.servers, in: db).id, in: db)
        }
        return try .json(["permissions": .array(grants.map(\.json))] as JSONValue)
    }

    /// `GET /servers/{serverid}/permissions/{roleid}`: the same of one role.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"permissions": [{"acl", "role", "server"}]}`; empty for a role without permissions here.
    /// - Errors: 401; 403 without `servers`; 404 for server or role.
    /// - Source: API description 2.2, `getPermissions`.
    func showPermissions(_ request: Request) throws -> Response {
        let grants = try look { db, _ in
            let server = try request.requireServer(.servers, in: db)
            return try Grant.all(of: request.requireRole(in: db), in: db).filter {
                $0.server == server.id
            }
        }
        return try .json(["permissions": .array(grants.map(\.json))] as JSONValue)
    }

    /// `POST /servers/{serverid}/permissions/{roleid}`: replaces what the role may do on this server.
    ///
    /// - Request: an array of names, such as `["sessions", "users"]`.
    /// - Response: `200`, empty.
    /// - Errors: 400 for a name that is no permission; 401; 403 without `root`; 404 for server or role.
    /// - Source: API description 2.2, `grantPermissions`.
    func grantPermissions(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer(.root, in: turn.db)
            let role = try request.requireRole(in: turn.db)
            var permissions: [Permission] = []
            for name in try request.json([String].self) {
                guard let permission = Permission(rawValue: name) else {
                    throw BackEndRefusal.inputInvalid(
                        "There is no permission “\(name.prefix(40))”, only "
                            + Permission.allCases.map(\.rawValue).joined(separator: ", ") + ".")
                }
                if !permissions.contains(permission) { permissions.append(permission) }
            }
            try Grant(role: role, server: server.id, permissions: permissions).replace(in: turn.db)
        }
        return .done
    }

    /// `DELETE /servers/{serverid}/permissions/{roleid}`: takes from the role what it may do on this server.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, empty.
    /// - Errors: 401; 403 without `root`; 404 for server or role.
    /// - Source: API description 2.2, `revokePermissions`.
    func revokePermissions(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer(.root, in: turn.db)
            let role = try request.requireRole(in: turn.db)
            try Grant(role: role, server: server.id, permissions: []).replace(in: turn.db)
        }
        return .done
    }
}
