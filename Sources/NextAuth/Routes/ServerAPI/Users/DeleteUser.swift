import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `DELETE /servers/{serverid}/users/{userid}/`: removes a user with all accounts; their devices are told.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, empty.
    /// - Errors: 401; 403 without `users`; 404 for server or user.
    /// - Source: API description 2.2, `deleteUser`; that the accounts go too is *assumed*.
    func deleteUser(_ request: Request) throws -> Response {
        try change { turn in
            let server = try requireServer(.users, request, in: turn.db)
            let user = try requireUser(request, of: server, in: turn.db)
            try removeAccounts(of: user.id, on: server, in: &turn)
            try users.remove(user, in: turn.db)
            if let role = user.role, try !roles.knows(role, in: turn.db) {
                // Nobody is left who could act as it.
                for grant in try roles.grants(of: role, in: turn.db) {
                    try roles.set(Grant(role: role, server: grant.server, permissions: []), in: turn.db)
                }
            }
            turn.note("user deleted", about: user.id, "The user \(user.id) was deleted by the server API.")
        }
        return .done
    }

    /// `DELETE /servers/{serverid}/users/{userid}/accounts`: removes the accounts and keeps the user; the devices are told.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, empty, also for a user who is not there: the description has no other answer for it.
    /// - Errors: 401; 403 without `accounts` or `users`; 404 for the server.
    /// - Source: API description 2.2, `deleteUserAccounts`.
    func deleteUserAccounts(_ request: Request) throws -> Response {
        try change { turn in
            let server = try requireServer([.accounts, .users], request, in: turn.db)
            try removeAccounts(of: request.parameter("userid"), on: server, in: &turn)
        }
        return .done
    }

    private func removeAccounts(of user: String, on server: Server, in turn: inout Turn) throws {
        for account in try accounts.all(of: server.id, user: user, in: turn.db) {
            try remove(account, in: &turn)
        }
    }
}
