package import Essentials
package import SQLite

/// Rows of a platform that end by themselves: codes, tokens, sessions. What shows the clock offers to jump to their ends.
package struct Expiring: Sendable {
    /// What ends, in the platform's words: `access token`.
    let what: String
    let rows: SQL

    /// - Parameter rows: with the columns `at`, milliseconds since 1970, and `about`: whose it is, or which one.
    package init(_ what: String, _ rows: SQL) { (self.what, self.rows) = (what, rows) }

    /// Codes and links in the outbox that nobody has used yet.
    package static let messages = Expiring(
        "code or link in the outbox",
        """
        SELECT expires_at AS at, recipient_address AS about FROM kit_message
        WHERE used_at IS NULL AND expires_at IS NOT NULL
        """)
}

/// Something that ends by itself.
package struct Expiry: Sendable, Equatable {
    /// `access token`.
    package let what: String
    /// Whose it is, or which one.
    package let about: String?
    package let at: Date
}

extension World {
    /// What ends next, the first first.
    package func nextExpiries(_ kinds: [Expiring], limit: Int) throws -> [Expiry] {
        let now = clock.now
        return try database.read { db in
            var found: [Expiry] = []
            for kind in kinds {
                let next: SQL = """
                    SELECT at, about FROM (\(fragment: kind.rows)) WHERE at > \(now) ORDER BY at LIMIT \(limit)
                    """
                try db.each(next) { row in
                    found.append(
                        Expiry(
                            what: kind.what, about: try row.optionalText("about"), at: try row.date("at")))
                }
            }
            return Array(found.sorted { $0.at < $1.at }.prefix(limit))
        }
    }
}
