import Essentials
import SQLite

/// The conversations with browsers of one authorization server.
struct InteractionStore: Sendable {
    let server: String

    func find(_ digest: [UInt8], at now: Date, in db: Connection) throws -> Interaction? {
        try db.first(
            Interaction.self,
            """
            SELECT * FROM openid_interaction
            WHERE server = \(server) AND digest = \(digest) AND expires_at > \(now)
            """)
    }

    /// Makes room first: the oldest of the world go, whether their time is over or not.
    func insert(_ interaction: Interaction, in db: Connection) throws {
        try db.execute(
            """
            DELETE FROM openid_interaction
            WHERE rowid <= (SELECT max(rowid) FROM openid_interaction) - \(Interaction.limit - 1)
            """)
        try db.execute(
            """
            INSERT INTO openid_interaction (digest, server, kind, parameters, pushed_uri, secret, login_session,
                consent_session, created_at, expires_at)
            VALUES (\(interaction.digest), \(server), \(interaction.kind.rawValue), \(interaction.parameters),
                \(interaction.pushedURI), \(interaction.secret), \(interaction.loginSession),
                \(interaction.consentSession), \(interaction.createdAt), \(interaction.expiresAt))
            """)
    }

    func noteLogin(_ sessionID: String, in digest: [UInt8], _ db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_interaction SET login_session = \(sessionID), consent_session = NULL
            WHERE server = \(server) AND digest = \(digest)
            """)
    }

    func noteConsent(_ sessionID: String, in digest: [UInt8], _ db: Connection) throws {
        try db.execute(
            """
            UPDATE openid_interaction SET consent_session = \(sessionID)
            WHERE server = \(server) AND digest = \(digest)
            """)
    }

    func remove(_ digest: [UInt8], in db: Connection) throws {
        try db.execute("DELETE FROM openid_interaction WHERE server = \(server) AND digest = \(digest)")
    }

    /// Every conversation that began with this `request_uri`: it leads to one authorization.
    func remove(pushedURI: String, in db: Connection) throws {
        try db.execute(
            "DELETE FROM openid_interaction WHERE server = \(server) AND pushed_uri = \(pushedURI)")
    }
}
