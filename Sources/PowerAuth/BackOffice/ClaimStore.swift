import Essentials
import SQLite

/// What the user data store knows of people, who are users by id and nothing else here.
struct ClaimStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_claims (
            user TEXT NOT NULL PRIMARY KEY,
            claims TEXT NOT NULL -- JSON object
        ) STRICT
        """
    ]

    /// Claims of OpenID Connect by name; nil for a user of whom nothing is known.
    func find(_ user: String, in db: Connection) throws -> [String: JSONValue]? {
        let text = try db.value(String.self, "SELECT claims FROM powerauth_claims WHERE user = \(user)")
        return try text.flatMap { try JSONValue(parsing: Array($0.utf8)).object }
    }

    func set(_ claims: [String: JSONValue], of user: String, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_claims (user, claims) VALUES (\(user), \(JSONValue.object(claims).text))
            ON CONFLICT DO UPDATE SET claims = excluded.claims
            """)
    }

    func all(in db: Connection) throws -> [String: [String: JSONValue]] {
        var all: [String: [String: JSONValue]] = [:]
        try db.each("SELECT user, claims FROM powerauth_claims") { row in
            all[try row.text("user")] = try row.json("claims").object ?? [:]
        }
        return all
    }
}
