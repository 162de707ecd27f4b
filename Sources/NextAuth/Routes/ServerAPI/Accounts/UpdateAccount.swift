import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /servers/{serverid}/accounts/{accountid}/`: an account.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200 Account`.
    /// - Errors: 401; 403 without `sessions` or `accounts`; 404 for server or account.
    /// - Source: API description 2.2, `getAccount`.
    func showAccount(_ request: Request) throws -> Response {
        let shown = try look { db, _ in
            let server = try request.requireServer([.sessions, .accounts], in: db)
            return try members(of: request.requireAccount(of: server, in: db), in: db)
        }
        return try .json(JSONValue.object(shown))
    }

    /// `PUT /servers/{serverid}/accounts/{accountid}/`: blocks an account, which ends its logins, or unblocks it.
    ///
    /// - Request: `blocked=true` or `blocked=false` in the query.
    /// - Response: `200 Account`.
    /// - Errors: 400; 401; 403 without `accounts`; 404 for server or account.
    /// - Source: API description 2.2, `updateAccount`.
    func updateAccount(_ request: Request) throws -> Response {
        let shown = try change { turn in
            let server = try request.requireServer(.accounts, in: turn.db)
            let account = try request.requireAccount(of: server, in: turn.db)
            let text = try request.requireQuery("blocked")
            guard let isBlocked = Bool(text) else {
                throw BackEndRefusal.inputInvalid(
                    "The parameter “blocked” is “\(text.prefix(40))”, expected true or false.")
            }
            return try members(of: accounts.setBlocked(isBlocked, account, in: turn), in: turn.db)
        }
        return try .json(JSONValue.object(shown))
    }

    /// `DELETE /servers/{serverid}/accounts/{accountid}/`: removes an account; its device is told, and its logins end.
    ///
    /// - Request: nothing beside the API key.
    /// - Response: `200`, empty.
    /// - Errors: 401; 403 without `accounts`; 404 for server or account.
    /// - Source: API description 2.2, `deleteAccount`; Mobile SDK, “Concepts”, for the message to the device.
    func deleteAccount(_ request: Request) throws -> Response {
        try change { turn in
            let server = try request.requireServer(.accounts, in: turn.db)
            try accounts.remove(request.requireAccount(of: server, in: turn.db), in: turn)
        }
        return .done
    }

    /// `PUT /servers/{serverid}/accounts/{accountid}/user`: gives an account to a user, who is made if need be.
    ///
    /// - Request: `userid` in the query.
    /// - Response: `200 Account`.
    /// - Errors: 400; 401; 403 without `accounts`, and for a user id that is not allowed; 404 for server or account.
    /// - Source: API description 2.2, `updateAccountUser`.
    func moveAccount(_ request: Request) throws -> Response {
        let shown = try change { turn in
            let server = try request.requireServer(.accounts, in: turn.db)
            let account = try request.requireAccount(of: server, in: turn.db)
            let user = try request.requireQuery("userid")
            return try members(of: accounts.attach(account, to: user, in: turn), in: turn.db)
        }
        return try .json(JSONValue.object(shown))
    }

    private func members(of account: Account, in db: Connection) throws -> [String: JSONValue] {
        account.members(try Instance.find(account.instance, in: db))
    }
}
