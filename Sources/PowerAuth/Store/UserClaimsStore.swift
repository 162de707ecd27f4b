import Essentials
import SQLite

/// What is told to apps about users: OpenID Connect claims as they were put here. Source: OpenID Connect Core §5.1.
struct UserClaimsStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_user_claims (
            user TEXT NOT NULL PRIMARY KEY,
            claims TEXT NOT NULL -- JSON object
        ) STRICT
        """
    ]

    /// With `sub`; nil when there is nothing to tell.
    func find(_ user: String, in db: Connection) throws -> [String: JSONValue]? {
        guard
            let text = try db.value(
                String.self, "SELECT claims FROM powerauth_user_claims WHERE user = \(user)"),
            var claims = try JSONValue(parsing: Array(text.utf8)).object
        else { return nil }
        claims["sub"] = .string(user)
        return claims
    }

    func set(_ claims: [String: JSONValue], of user: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_user_claims (user, claims) VALUES (\(user), \(JSONValue.object(claims).text))
            ON CONFLICT DO UPDATE SET claims = excluded.claims
            """)
    }

    /// As they were put, by user.
    func all(in db: Connection) throws -> [String: [String: JSONValue]] {
        var claims: [String: [String: JSONValue]] = [:]
        try db.each("SELECT user, claims FROM powerauth_user_claims") { row in
            claims[try row.text("user")] = try row.json("claims").object
        }
        return claims
    }
}
