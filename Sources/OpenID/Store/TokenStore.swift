package import Essentials
package import SQLite

/// The access and refresh tokens of one authorization server, also those that are not good any more.
package struct TokenStore: Sendable {
    let server: String

    package func access(_ digest: [UInt8], in db: Connection) throws -> AccessToken? {
        try db.first(
            AccessToken.self,
            "SELECT * FROM openid_access_token WHERE server = \(server) AND digest = \(digest)")
    }

    package func refresh(_ digest: [UInt8], in db: Connection) throws -> RefreshToken? {
        try db.first(
            RefreshToken.self,
            "SELECT * FROM openid_refresh_token WHERE server = \(server) AND digest = \(digest)")
    }

    /// Oldest first; also those that are not good any more.
    package func accessTokens(ofGrant id: String, in db: Connection) throws -> [AccessToken] {
        try db.all(
            AccessToken.self,
            "SELECT * FROM openid_access_token WHERE server = \(server) AND grant_id = \(id) ORDER BY issued_at, rowid"
        )
    }

    /// Oldest first; also those that are not good any more.
    package func refreshTokens(ofGrant id: String, in db: Connection) throws -> [RefreshToken] {
        try db.all(
            RefreshToken.self,
            "SELECT * FROM openid_refresh_token WHERE server = \(server) AND grant_id = \(id) ORDER BY issued_at, rowid"
        )
    }

    package func insert(_ token: AccessToken, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_access_token (digest, server, id, grant_id, client_id, subject, scope, audience,
                issuer, format, issued_at, expires_at, claims, uses, proof_key, ended_at, ended_because)
            VALUES (\(token.digest), \(server), \(token.id), \(token.grantID), \(token.clientID),
                \(token.subject), \(token.scope.text), \(token.audience.joined(separator: " ")),
                \(token.issuer), \(token.format.rawValue), \(token.issuedAt), \(token.expiresAt),
                \(token.claims.isEmpty ? nil : JSONValue.object(token.claims).text), \(token.uses),
                \(token.proofKey), \(token.end?.at), \(token.end?.reason.rawValue))
            """)
    }

    /// Counts one use of an access token.
    func noteUse(of digest: [UInt8], in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_access_token SET uses = uses + 1
            WHERE server = \(server) AND digest = \(digest)
            """)
    }

    package func insert(_ token: RefreshToken, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_refresh_token (digest, server, id, grant_id, client_id, scope, issued_at,
                expires_at, spent_at, answer, proof_key, ended_at, ended_because)
            VALUES (\(token.digest), \(server), \(token.id), \(token.grantID), \(token.clientID),
                \(token.scope.text), \(token.issuedAt), \(token.expiresAt), \(token.spentAt),
                \(token.answer), \(token.proofKey), \(token.end?.at), \(token.end?.reason.rawValue))
            """)
    }

    package func end(
        access digest: [UInt8], _ reason: TokenEnd.Reason, at now: Date, in db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE openid_access_token SET ended_at = \(now), ended_because = \(reason.rawValue)
            WHERE server = \(server) AND digest = \(digest) AND ended_at IS NULL
            """)
    }

    /// Takes a refresh token out of use, because it was traded for the next one.
    ///
    /// - Parameter answer: the token response, for the grace window; nil where there is none.
    package func spend(refresh digest: [UInt8], answer: String?, at now: Date, in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_refresh_token SET spent_at = \(now), answer = \(answer)
            WHERE server = \(server) AND digest = \(digest)
            """)
    }

    /// When the first refresh token of a grant was issued.
    package func firstRefreshToken(ofGrant id: String, in db: Connection) throws -> Date? {
        try db.value(
            Date.self,
            "SELECT min(issued_at) FROM openid_refresh_token WHERE server = \(server) AND grant_id = \(id)")
    }
}
