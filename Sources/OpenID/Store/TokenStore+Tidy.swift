import SQLite

extension TokenStore {
    /// How much a world remembers of all its servers; beyond that the oldest are forgotten, alive or not.
    private enum Limit {
        /// Access tokens of clients for themselves, which a load test makes by the thousand.
        static let clientTokens = 10_000
        static let accessTokens = 50_000
        static let refreshTokens = 50_000
        static let grants = 20_000
        /// How many access tokens or codes are made between two tidyings.
        static let interval = 512
    }

    /// Forgets what is too old to be of use, now and then; to be called right after an access token was inserted.
    func tidy(in db: Connection) throws {
        let last = db.lastInsertID
        guard last.isMultiple(of: Limit.interval) else { return }
        try db.execute(
            """
            DELETE FROM openid_access_token
            WHERE rowid <= \(last - Limit.clientTokens)
                AND (subject IS NULL OR rowid <= \(last - Limit.accessTokens))
            """)
        try db.execute(
            """
            DELETE FROM openid_refresh_token
            WHERE rowid <= (SELECT max(rowid) FROM openid_refresh_token) - \(Limit.refreshTokens)
            """)
        try removeOldGrants(in: db)
    }

    /// The same for grants whose codes nobody redeems; to be called right after a code was inserted.
    func tidyCodes(in db: Connection) throws {
        guard db.lastInsertID.isMultiple(of: Limit.interval) else { return }
        try removeOldGrants(in: db)
    }

    /// Takes codes and tokens with them.
    private func removeOldGrants(in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM openid_grant
            WHERE rowid <= (SELECT max(rowid) FROM openid_grant) - \(Limit.grants)
            """)
    }
}
