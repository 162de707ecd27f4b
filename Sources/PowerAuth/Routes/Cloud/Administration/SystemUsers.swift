import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /admin/users`: who may call, without passwords.
    ///
    /// - Request: nothing.
    /// - Response: `200 {"users": […]}`.
    /// - Errors: 401, 403.
    /// - Source: *assumed* after the creation.
    func listSystemUsers(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        let users = try database.read { try $0.all(SystemUser.self) }
        return .flat(["users": .array(users.map { .object(members(of: $0)) })])
    }

    /// `GET /admin/users/{username}`: one of them.
    ///
    /// - Request: nothing.
    /// - Response: `200` with `username`, `enabled`, `role`, `applications`.
    /// - Errors: `ERROR_REQUEST` for one that is not there.
    /// - Source: *assumed* after the creation.
    func showSystemUser(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        return .flat(
            members(of: try database.read { try requireUser(request.parameter("user"), in: $0) }))
    }

    /// `POST /admin/users`: an account of a back end, with a password that is shown this once.
    ///
    /// - Request: `{"username"}`.
    /// - Response: `200` with `username`, `password`, `enabled`, `role`, `applications`.
    /// - Errors: `ERROR_REQUEST`, also for a name that is taken.
    /// - Source: PowerAuth Cloud documentation, administration.
    func createSystemUser(_ request: Request) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        let input = try Members(request)
        let name = try input.text("username")
        // RFC 7617 §2
        if name.contains(":") { try input.refuse("username", "a name without a colon") }
        try input.check()
        let user = SystemUser(
            name: name, password: Base64URL.encode(services.entropy.bytes(18, "powerauth.user-password")),
            roles: [.user])
        try world.change { turn in
            guard try SystemUser.find(name, in: turn.db) == nil else {
                throw CloudRefusal(.request, "The user “\(name)” exists already.")
            }
            try turn.insert(user)
        }
        return .flat(members(of: user).merging(["password": .string(user.password)]) { own, _ in own })
    }

    /// `POST /admin/users/{username}/applications/{id}`: lets a user call for an application.
    ///
    /// - Request: an empty body.
    /// - Response: `200` with the user.
    /// - Errors: `ERROR_REQUEST` for a user or an application that is not there.
    /// - Source: PowerAuth Cloud documentation, administration.
    func assignApplication(_ request: Request) throws -> Response {
        try changeUser(request) { user, db in
            let id = try requireAnyApplication(request.parameter("application"), in: db).id
            user.applications = (user.applications + [id]).unique
        }
    }

    /// `DELETE /admin/users/{username}/applications/{id}`: the reverse.
    ///
    /// - Request: nothing.
    /// - Response: `200` with the user.
    /// - Errors: `ERROR_REQUEST` for a user or an application that is not there.
    /// - Source: *assumed*.
    func unassignApplication(_ request: Request) throws -> Response {
        try changeUser(request) { user, db in
            let id = try requireAnyApplication(request.parameter("application"), in: db).id
            user.applications.removeAll { $0 == id }
        }
    }

    /// `POST /admin/users/{username}/roles/{role}`: gives a user `ROLE_ADMIN` or `ROLE_USER`.
    ///
    /// - Request: an empty body.
    /// - Response: `200` with the user.
    /// - Errors: `ERROR_REQUEST` for a user that is not there and for another role.
    /// - Source: *assumed*; the real product has rows of a table for it.
    func assignRole(_ request: Request) throws -> Response {
        let role = try role(in: request)
        return try changeUser(request) { user, _ in
            if !user.roles.contains(role) { user.roles.append(role) }
        }
    }

    /// `DELETE /admin/users/{username}/roles/{role}`: takes a role.
    ///
    /// - Request: nothing.
    /// - Response: `200` with the user.
    /// - Errors: `ERROR_REQUEST` for a user that is not there and for another role.
    /// - Source: *assumed*.
    func unassignRole(_ request: Request) throws -> Response {
        let role = try role(in: request)
        return try changeUser(request) { user, _ in user.roles.removeAll { $0 == role } }
    }

    private func role(in request: Request) throws -> SystemUser.Role {
        if let role = SystemUser.Role(rawValue: request.parameter("role")) { return role }
        throw CloudRefusal(.request, "There is no role of that name: use ROLE_ADMIN or ROLE_USER.")
    }

    private func changeUser(
        _ request: Request, _ body: (inout SystemUser, Connection) throws -> Void
    ) throws -> Response {
        _ = try requireBackOffice(request, .admin)
        return try world.change { turn in
            var user = try requireUser(request.parameter("user"), in: turn.db)
            try body(&user, turn.db)
            turn.db.forgetReads()
            try turn.update(user)
            return .flat(members(of: user))
        }
    }

    private func requireUser(_ name: String, in db: Connection) throws -> SystemUser {
        if let user = try SystemUser.find(name, in: db) { return user }
        throw CloudRefusal(.request, "There is no user “\(name.prefix(60))”.")
    }

    private func members(of user: SystemUser) -> [String: JSONValue] {
        [
            "username": .string(user.name), "enabled": .boolean(user.isEnabled),
            "role": JSONValue(user.roles.map(\.rawValue)), "applications": JSONValue(user.applications),
        ]
    }
}
