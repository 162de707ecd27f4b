import Essentials
import SQLite

/// What a server shows of its accounts.
struct AccountFigures: Sendable, Equatable, RowDecodable {
    let count: Int
    let lastLoginAt: Date?

    init(count: Int = 0, lastLoginAt: Date? = nil) { (self.count, self.lastLoginAt) = (count, lastLoginAt) }

    init(row: Row) throws {
        self.init(count: try row.integer("count"), lastLoginAt: try row.optionalDate("last_login_at"))
    }
}

extension AccountStore {
    func figures(of server: String, in db: Connection) throws -> AccountFigures {
        try db.first(
            AccountFigures.self,
            """
            SELECT count(*) AS count, max(last_login_at) AS last_login_at FROM nextauth_account
            WHERE server = \(server)
            """) ?? AccountFigures()
    }
}
