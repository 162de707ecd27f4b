import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /servers/{serverid}/users/{userid}/role/`: the role of a user.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"role"}`, Base64.
    /// - Errors: 401; 403 without `users`; 404 for server or user, and for a user without a role.
    /// - Source: API description 2.2, `getUserRole`.
    func showUserRole(_ request: Request) throws -> Response {
        let user = try look { db, _ in
            try request.requireUser(of: request.requireServer(.users, in: db), in: db)
        }
        guard let role = user.role else { throw BackEndRefusal.userRoleless(user.id) }
        return try .json(["role": .string(role)] as JSONValue)
    }

    /// `POST /servers/{serverid}/users/{userid}/role/`: the role of a user, made where there is none.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 {"role"}`, Base64.
    /// - Errors: 401; 403 without `users`; 404 for server or user.
    /// - Source: API description 2.2, `getOrCreateUserRole`.
    func makeUserRole(_ request: Request) throws -> Response {
        let role = try change { turn in
            let server = try request.requireServer(.users, in: turn.db)
            var user = try request.requireUser(of: server, in: turn.db)
            if let role = user.role { return role }
            let role = services.entropy.pathSafeBase64(for: "role")
            user.role = role
            try turn.update(user)
            return role
        }
        return try .json(["role": .string(role)] as JSONValue)
    }
}
