import Essentials
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

extension Request {
    /// - Throws: ``BackEndRefusal`` when the key is missing or unknown, or `X-su` may not be used.
    func caller(in db: Connection) throws -> Caller {
        guard let text = headers["X-apikey"], !text.isEmpty else { throw BackEndRefusal.keyMissing }
        guard let key = try db.first(APIKey.self, where: "key = \(text)") else {
            throw BackEndRefusal.keyUnknown(text)
        }
        let caller = Caller(role: key.role, grants: try Grant.all(of: key.role, in: db))
        guard let role = headers["X-su"], !role.isEmpty, role != caller.role else { return caller }
        guard caller.grants.allow(.root, on: nil) || caller.grants.allow(.setrid, on: nil) else {
            throw BackEndRefusal.impersonationForbidden(role: caller.role)
        }
        guard try APIKey.knows(role, in: db) else { throw BackEndRefusal.roleUnknown(role) }
        return Caller(role: role, grants: try Grant.all(of: role, in: db))
    }

    /// The server of the path's `:serverid`, on which the caller has the permission.
    func requireServer(_ permission: Permission, in db: Connection) throws -> Server {
        let caller = try caller(in: db)
        let server = try Server.require(parameter("serverid"), in: db)
        try caller.require(permission, on: server.id)
        return server
    }

    /// The session identifier of a call, as text: it is compared and never decoded.
    func requireNonce() throws(BackEndRefusal) -> String {
        guard let nonce = headers["X-nonce"], !nonce.isEmpty else { throw .nonceMissing }
        return nonce
    }

    /// The server of the path's `:serverid`, on which the caller has one of the permissions.
    func requireServer(_ permissions: [Permission], in db: Connection) throws -> Server {
        let caller = try caller(in: db)
        let server = try Server.require(parameter("serverid"), in: db)
        guard permissions.contains(where: { caller.grants.allow($0, on: server.id) }) else {
            throw BackEndRefusal.permissionsMissing(permissions, role: caller.role)
        }
        return server
    }

    /// The caller, who has the permission on all servers.
    @discardableResult
    func requireGlobally(_ permission: Permission, in db: Connection) throws -> Caller {
        let caller = try caller(in: db)
        guard caller.grants.allow(permission, on: nil) else {
            throw BackEndRefusal.permissionMissingEverywhere([permission], role: caller.role)
        }
        return caller
    }

    /// The user of the path's `:userid`.
    func requireUser(of server: Server, in db: Connection) throws -> User {
        let id = parameter("userid")
        guard let user = try User.find(id, of: server.id, in: db) else {
            throw BackEndRefusal.userUnknown(id)
        }
        return user
    }

    /// The account of the path's `:accountid`.
    func requireAccount(of server: Server, in db: Connection) throws -> Account {
        let id = parameter("accountid")
        guard let number = Int(id), let account = try Account.find(number, of: server.id, in: db) else {
            throw BackEndRefusal.accountUnknown(id)
        }
        return account
    }

    /// The role of the path's `:roleid`.
    func requireRole(in db: Connection) throws -> String {
        let id = parameter("roleid")
        let role = Server.standardID(id)
        guard try APIKey.knows(role, in: db) else { throw BackEndRefusal.roleUnknown(id) }
        return role
    }

    /// A parameter of the query that has to be there.
    func requireQuery(_ name: String) throws(BackEndRefusal) -> String {
        guard let value = queryItems[name] else {
            throw .inputInvalid("The query lacks the parameter “\(name)”.")
        }
        return value
    }

    /// What the body says of the session; an empty body says nothing.
    func userContext() throws -> UserContext {
        if body.isEmpty { return UserContext() }
        let context = try json(UserContext.self)
        for (name, part) in [("sessioninfo", context.sessionInfo), ("announceinfo", context.announceInfo)] {
            if let part, part.object == nil, !part.isNull {
                throw BackEndRefusal.inputInvalid("The member “\(name)” is not an object.")
            }
        }
        return context
    }
}

extension Server {
    /// - Parameter id: in any spelling.
    static func require(_ id: String, in db: Connection) throws -> Server {
        guard let server = try find(standardID(id), in: db) else {
            throw BackEndRefusal.serverUnknown(id)
        }
        return server
    }
}
