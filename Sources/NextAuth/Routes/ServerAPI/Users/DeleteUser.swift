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
            let server = try request.requireServer(.users, in: turn.db)
            let user = try request.requireUser(of: server, in: turn.db)
            try accounts.remove(user, in: turn)
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
            let server = try request.requireServer([.accounts, .users], in: turn.db)
            for account in try Account.all(of: server.id, user: request.parameter("userid"), in: turn.db) {
                try accounts.remove(account, in: turn)
            }
        }
        return .done
    }
}
