import HTTP
import PlatformKit
import SQLite

/// Who calls the server API: a role, by its API key or in the place of the one that has it.
struct Caller: Sendable {
    let role: String
    let grants: [Grant]

    /// - Parameter server: nil for what is global.
    func require(_ permission: Permission, on server: String?) throws(BackEndRefusal) {
        guard grants.allow(permission, on: server) else { throw .permissionMissing(permission, role: role) }
    }
}

extension NextAuth {
    /// - Throws: ``BackEndRefusal`` when the key is missing or unknown, or `X-su` may not be used.
    func caller(of request: Request, in db: Connection) throws -> Caller {
        guard let text = request.headers["X-apikey"], !text.isEmpty else { throw BackEndRefusal.keyMissing }
        guard let key = try db.first(APIKey.self, where: "key = \(text)") else {
            throw BackEndRefusal.keyUnknown(text)
        }
        let caller = Caller(role: key.role, grants: try Grant.all(of: key.role, in: db))
        guard let role = request.headers["X-su"], !role.isEmpty, role != caller.role else { return caller }
        guard caller.grants.allow(.root, on: nil) || caller.grants.allow(.setrid, on: nil) else {
            throw BackEndRefusal.impersonationForbidden(role: caller.role)
        }
        guard try APIKey.knows(role, in: db) else { throw BackEndRefusal.roleUnknown(role) }
        return Caller(role: role, grants: try Grant.all(of: role, in: db))
    }

    /// The caller, who has the permission on the server, or globally where there is none.
    @discardableResult
    func requireRole(
        _ permission: Permission, _ server: Server?, _ request: Request, in db: Connection
    ) throws -> Caller {
        let caller = try caller(of: request, in: db)
        try caller.require(permission, on: server?.id)
        return caller
    }

    /// The server of the path's `:serverid`, on which the caller has the permission.
    func requireServer(_ permission: Permission, _ request: Request, in db: Connection) throws -> Server {
        let caller = try caller(of: request, in: db)
        let id = request.parameter("serverid")
        guard let server = try Server.find(Server.standardID(id), in: db) else {
            throw BackEndRefusal.serverUnknown(id)
        }
        try caller.require(permission, on: server.id)
        return server
    }

    /// The session identifier of a call, as text: it is compared and never decoded.
    func requireNonce(_ request: Request) throws(BackEndRefusal) -> String {
        guard let nonce = request.headers["X-nonce"], !nonce.isEmpty else { throw .nonceMissing }
        return nonce
    }
}
