import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /servers/{serverid}/accounts/`: all accounts of a server.
    ///
    /// - Request: `filter` (over the attributes of the account's user, and over what the answer shows), `limit`, `marker`, and
    ///   `sort` by any member of `Account` in the query.
    /// - Response: `200 {"accounts": [Account], "totalnumber"}`.
    /// - Errors: 400; 401; 403 without `accounts`; 404.
    /// - Source: API description 2.2, `getAllAccounts`; what is filtered is *assumed*, since accounts have no attributes.
    func listAccounts(_ request: Request) throws -> Response {
        try accountList(request, [.accounts]) { server, db in try Account.all(of: server.id, in: db) }
    }

    /// `GET /servers/{serverid}/users/{userid}/accounts`: the accounts of a user.
    ///
    /// - Request: `limit`, `marker`, `sort` in the query.
    /// - Response: `200 {"accounts": [Account], "totalnumber"}`; none for a user who is not there: the description has no 404.
    /// - Errors: 400; 401; 403 without `sessions` or `users`; 404 for the server.
    /// - Source: API description 2.2, `getUser`.
    func listUserAccounts(_ request: Request) throws -> Response {
        let user = request.parameter("userid")
        return try accountList(request, [.sessions, .users]) { server, db in
            try Account.all(of: server.id, user: user, in: db)
        }
    }

    private func accountList(
        _ request: Request, _ permissions: [Permission], _ all: (Server, Connection) throws -> [Account]
    ) throws -> Response {
        let (page, total) = try look { db, _ in
            let server = try request.requireServer(permissions, in: db)
            let query = try ListQuery(request, columns: Account.columns)
            let rows = try all(server, db).map { account in
                let user = try account.user.flatMap { try User.find($0, of: server.id, in: db) }
                return ListQuery.Row(
                    members: account.members(try Instance.find(account.instance, in: db)),
                    attributes: user?.attributes ?? [:])
            }
            return query.page(of: rows)
        }
        return try .json(["accounts": .array(page), "totalnumber": .integer(total)] as JSONValue)
    }
}
