import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users`: everybody who has an address or a username, a page at a time, the newest first.
    ///
    /// - Request: query `page`, `per_page` (20, at most 1000), `email` and `username` (a part of it), `user_id` (a comma list),
    ///   `sort_direction` (`desc` or `asc`, by creation).
    /// - Response: `200`, array of ``AdminUser``; `X-Total-Count`, `Link`.
    /// - Errors: 400 for an id, a direction or a number that is none.
    /// - Source: Hanko 2.7, admin API. The limit of `per_page` is ours.
    func adminListUsers(_ request: Request) throws -> Response {
        let query = request.queryItems
        let page = try ListPage(admin: query)
        let search = try UserSearch(query)
        let (users, total) = try accounts(search, page)
        var response = try Response.hanko(users.map { AdminUser($0) })
        page.describe(total, of: request, in: &response)
        return response
    }
}

/// Which users are asked for; every condition that is set must hold.
struct UserSearch: Sendable {
    /// Part of an address, in lower case.
    let address: String?
    /// Part of the username, in lower case.
    let username: String?
    /// Nil for all.
    let ids: [String]?
    let isAscending: Bool

    init(_ query: Form) throws {
        address = Self.text(query["email"])
        username = Self.text(query["username"])
        ids = try Self.text(query["user_id"]).map(Self.ids)
        switch query["sort_direction"] ?? "" {
        case "asc": isAscending = true
        case "", "desc": isAscending = false
        case let other:
            throw AdminRefusal.queryWrong(
                "Expected “asc” or “desc” in “sort_direction”, found “\(other.prefix(60))”.")
        }
    }

    private static func text(_ text: String?) -> String? {
        text.flatMap { $0.isEmpty ? nil : $0.lowercased() }
    }

    private static func ids(_ text: String) throws -> [String] {
        try text.split(separator: ",", omittingEmptySubsequences: false).map { part in
            guard let id = UUIDText.parsed(String(part)) else {
                throw AdminRefusal.queryWrong(
                    "Expected UUIDs with commas between in “user_id”, found “\(part.prefix(60))”.")
            }
            return id
        }
    }
}

extension Hanko {
    /// A page of those who fit, and how many fit in all.
    private func accounts(_ search: UserSearch, _ page: ListPage) throws -> ([Account], total: Int) {
        let ids = search.ids.map { JSONValue($0).text }
        let condition: SQL = """
            (username IS NOT NULL OR EXISTS (SELECT 1 FROM hanko_email WHERE user_id = hanko_user.id))
            AND (\(search.username) IS NULL OR instr(username, \(search.username)) > 0)
            AND (\(search.address) IS NULL OR EXISTS (
                SELECT 1 FROM hanko_email
                WHERE user_id = hanko_user.id AND instr(address, \(search.address)) > 0))
            AND (\(ids) IS NULL OR id IN (SELECT value FROM json_each(\(ids))))
            """
        let order: SQL =
            search.isAscending
            ? "ORDER BY created_at, hanko_user.rowid" : "ORDER BY created_at DESC, hanko_user.rowid DESC"
        return try database.read { db in
            let total = try db.value(
                Int.self, "SELECT count(*) FROM hanko_user WHERE \(fragment: condition)")
            let users = try db.all(
                User.self,
                """
                SELECT * FROM hanko_user WHERE \(fragment: condition) \(fragment: order)
                LIMIT \(page.size) OFFSET \(page.offset)
                """)
            return (try users.compactMap { try db.account($0.id) }, total ?? 0)
        }
    }
}
