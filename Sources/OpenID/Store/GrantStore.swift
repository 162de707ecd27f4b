package import Essentials
package import SQLite

/// The grants of one authorization server, and the end of everything that grew from them.
package struct GrantStore: Sendable {
    let server: String

    /// Which grants are meant: those that fit every part that is given.
    package struct Selection: Sendable {
        package var grantID: String?
        package var clientID: String?
        package var subject: String?
        package var sessionID: String?
        package var context: String?

        package init(
            grantID: String? = nil, clientID: String? = nil, subject: String? = nil, sessionID: String? = nil,
            context: String? = nil
        ) {
            (self.grantID, self.clientID, self.subject) = (grantID, clientID, subject)
            (self.sessionID, self.context) = (sessionID, context)
        }
    }

    package func find(_ id: String, in db: Connection) throws -> Grant? {
        try db.first(Grant.self, "SELECT * FROM openid_grant WHERE server = \(server) AND id = \(id)")
    }

    /// Oldest first; also those that have ended.
    package func all(_ selection: Selection = Selection(), in db: Connection) throws -> [Grant] {
        try db.all(
            Grant.self,
            "SELECT * FROM openid_grant WHERE \(fragment: condition(selection)) ORDER BY created_at, rowid")
    }

    package func insert(_ grant: Grant, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO openid_grant (id, server, client_id, subject, scope, issuer, type, session_id,
                authenticated_at, acr, amr, nonce, claims, audience, actor, context, own_parameters,
                token_claims, login_claims, created_at, ended_at, ended_because)
            VALUES (\(grant.id), \(server), \(grant.clientID), \(grant.subject), \(grant.scope.text),
                \(grant.issuer), \(grant.type), \(grant.sessionID), \(grant.authenticatedAt), \(grant.acr),
                \(grant.amr.joined(separator: " ")), \(grant.nonce), \(grant.claims?.text),
                \(grant.audience.joined(separator: " ")), \(grant.actor?.text), \(grant.context),
                \(grant.ownParametersJSON?.text), \(grant.tokenClaimsJSON?.text),
                \(grant.loginClaimsJSON?.text), \(grant.createdAt), \(grant.end?.at), \(grant.end?.reason.rawValue))
            """)
    }

    package func setContext(_ context: String?, of id: String, in db: Connection) throws {
        try db.execute(
            "UPDATE openid_grant SET context = \(context) WHERE server = \(server) AND id = \(id)")
    }

    /// Writes down what others left of the scope of a grant, and their claims.
    func restrict(_ grant: Grant, in db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_grant SET scope = \(grant.scope.text), token_claims = \(grant.tokenClaimsJSON?.text)
            WHERE server = \(server) AND id = \(grant.id)
            """)
    }

    /// Ends the grants that fit, with their codes, access tokens and refresh tokens. What has ended before stays as it is.
    package func end(
        _ selection: Selection, _ reason: TokenEnd.Reason, at now: Date, in db: Connection
    ) throws {
        let ids: SQL = "SELECT id FROM openid_grant WHERE \(fragment: condition(selection))"
        try db.execute("DELETE FROM openid_code WHERE spent_at IS NULL AND grant_id IN (\(fragment: ids))")
        try db.execute(
            """
            UPDATE openid_access_token SET ended_at = \(now), ended_because = \(reason.rawValue)
            WHERE ended_at IS NULL AND grant_id IN (\(fragment: ids))
            """)
        try db.execute(
            """
            UPDATE openid_refresh_token SET ended_at = \(now), ended_because = \(reason.rawValue), answer = NULL
            WHERE ended_at IS NULL AND grant_id IN (\(fragment: ids))
            """)
        try db.execute(
            """
            UPDATE openid_grant SET ended_at = \(now), ended_because = \(reason.rawValue)
            WHERE ended_at IS NULL AND id IN (\(fragment: ids))
            """)
    }

    private func condition(_ selection: Selection) -> SQL {
        let parts: [SQL] = [
            selection.grantID.map { "id = \($0)" }, selection.clientID.map { "client_id = \($0)" },
            selection.subject.map { "subject = \($0)" }, selection.sessionID.map { "session_id = \($0)" },
            selection.context.map { "context = \($0)" },
        ].compactMap { $0 }
        return parts.reduce("server = \(server)") { "\(fragment: $0) AND \(fragment: $1)" }
    }
}
