import HTTP
import PlatformKit
import SQLite

/// Who may do what, beyond a single permission.
extension NextAuth {
    /// The server of the path's `:serverid`, on which the caller has one of the permissions.
    func requireServer(
        _ permissions: [Permission], _ request: Request, in db: Connection
    ) throws -> Server {
        let caller = try caller(of: request, in: db)
        let server = try requireServer(request.parameter("serverid"), in: db)
        guard permissions.contains(where: { caller.grants.allow($0, on: server.id) }) else {
            throw BackEndRefusal.permissionsMissing(permissions, role: caller.role)
        }
        return server
    }

    /// The caller, who has the permission on all servers.
    @discardableResult
    func requireGlobally(
        _ permission: Permission, _ request: Request, in db: Connection
    ) throws -> Caller {
        let caller = try caller(of: request, in: db)
        guard caller.grants.allow(permission, on: nil) else {
            throw BackEndRefusal.permissionMissingEverywhere([permission], role: caller.role)
        }
        return caller
    }

    /// - Parameter id: in any spelling.
    func requireServer(_ id: String, in db: Connection) throws -> Server {
        guard let server = try Server.find(Server.standardID(id), in: db) else {
            throw BackEndRefusal.serverUnknown(id)
        }
        return server
    }

    /// The user of the path's `:userid`.
    func requireUser(_ request: Request, of server: Server, in db: Connection) throws -> User {
        let id = request.parameter("userid")
        guard let user = try User.find(id, of: server.id, in: db) else {
            throw BackEndRefusal.userUnknown(id)
        }
        return user
    }

    /// The account of the path's `:accountid`.
    func requireAccount(_ request: Request, of server: Server, in db: Connection) throws -> Account {
        let id = request.parameter("accountid")
        guard let number = Int(id), let account = try Account.find(number, of: server.id, in: db) else {
            throw BackEndRefusal.accountUnknown(id)
        }
        return account
    }

    /// The role of the path's `:roleid`.
    func requireRole(_ request: Request, in db: Connection) throws -> String {
        let id = request.parameter("roleid")
        let role = Server.standardID(id)
        guard try APIKey.knows(role, in: db) else { throw BackEndRefusal.roleUnknown(id) }
        return role
    }

    /// A parameter of the query that has to be there.
    func requireQuery(_ name: String, _ request: Request) throws(BackEndRefusal) -> String {
        guard let value = request.queryItems[name] else {
            throw .inputInvalid("The query lacks the parameter \"\(name)\".")
        }
        return value
    }
}
