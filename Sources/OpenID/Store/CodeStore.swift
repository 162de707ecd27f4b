package import Essentials
package import SQLite

/// The authorization codes of one server, also those that were used.
package struct CodeStore: Sendable {
    let server: String

    package func find(_ digest: [UInt8], in db: Connection) throws -> AuthorizationCode? {
        try db.first(
            AuthorizationCode.self,
            "SELECT * FROM openid_code WHERE server = \(server) AND digest = \(digest)")
    }

    package func insert(_ code: AuthorizationCode, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_code (digest, server, grant_id, client_id, redirect_uri, challenge,
                challenge_method, issued_at, expires_at, spent_at, proof_key)
            VALUES (\(code.digest), \(server), \(code.grantID), \(code.clientID), \(code.redirectURI),
                \(code.challenge), \(code.challengeMethod), \(code.issuedAt), \(code.expiresAt),
                \(code.spentAt), \(code.proofKey))
            """)
    }

    package func spend(_ digest: [UInt8], at now: Date, in db: Connection) throws {
        try db.execute(
            "UPDATE openid_code SET spent_at = \(now) WHERE server = \(server) AND digest = \(digest)")
    }
}
