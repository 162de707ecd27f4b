import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `GET /servers/{serverid}/users/`: the users of a server.
    ///
    /// - Request: `filter` over attributes (each that is there has to fit), `search` in the user id, `limit`, `marker`, and `sort` by
    ///   `userid`, `lastlogin` or `numberaccounts` in the query.
    /// - Response: `200 {"users": [{"userid", "lastlogin", "numberaccounts"}], "totalnumber"}`.
    /// - Errors: 400; 401; 403 without `users`; 404.
    /// - Source: API description 2.2, `getUsers`.
    func listUsers(_ request: Request) throws -> Response {
        let (page, total) = try look { db, _ in
            let server = try request.requireServer(.users, in: db)
            let query = try ListQuery(request, columns: User.columns)
            var counts: [String: Int] = [:]
            for user in try Account.all(of: server.id, in: db).compactMap(\.user) {
                counts[user, default: 0] += 1
            }
            let rows = try db.all(User.self, where: "server = \(server.id)").map { user in
                ListQuery.Row(
                    members: user.members(accountCount: counts[user.id] ?? 0), attributes: user.attributes,
                    searched: user.id)
            }
            return query.page(of: rows)
        }
        return try .json(["users": .array(page), "totalnumber": .integer(total)] as JSONValue)
    }
}
