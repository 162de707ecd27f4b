import Essentials
import SQLite

/// Proofs under way, and the tickets for shares.
struct ProofStore: Sendable {
    // MARK: Passes: one for each identity

    func takePass(_ mpinID: String, in db: Connection) throws -> PendingPass? {
        let pass = try db.first(PendingPass.self, "SELECT * FROM miracl_pass WHERE mpin_id = \(mpinID)")
        if pass != nil { try db.execute("DELETE FROM miracl_pass WHERE mpin_id = \(mpinID)") }
        return pass
    }

    /// Replaces the pending one of the same identity.
    func save(_ pass: PendingPass, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_pass (mpin_id, u, ut, y, scope, client_id, created_at, expires_at)
            VALUES (\(pass.mpinID), \(pass.u), \(pass.ut), \(pass.y), \(pass.scope.joined(separator: " ")),
                \(pass.clientID), \(pass.createdAt), \(pass.expiresAt))
            ON CONFLICT DO UPDATE SET u = excluded.u, ut = excluded.ut, y = excluded.y, scope = excluded.scope,
                client_id = excluded.client_id, created_at = excluded.created_at,
                expires_at = excluded.expires_at
            """)
    }

    func passes(in db: Connection) throws -> [PendingPass] {
        try db.all(PendingPass.self, "SELECT * FROM miracl_pass ORDER BY mpin_id")
    }

    // MARK: Verdicts

    func take(_ authOTT: String, in db: Connection) throws -> ProofVerdict? {
        let verdict = try db.first(
            ProofVerdict.self, "SELECT * FROM miracl_proof WHERE auth_ott = \(authOTT)")
        if verdict != nil { try db.execute("DELETE FROM miracl_proof WHERE auth_ott = \(authOTT)") }
        return verdict
    }

    func insert(_ verdict: ProofVerdict, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_proof (auth_ott, mpin_id, is_right, fault, proven_key, proven_dtas, scope, wid,
                client_id, otp, expires_at)
            VALUES (\(verdict.authOTT), \(verdict.mpinID), \(verdict.isRight), \(verdict.fault),
                \(verdict.proven?.publicKey), \(verdict.proven?.dtas),
                \(verdict.scope.joined(separator: " ")), \(verdict.wid), \(verdict.clientID), \(verdict.otp),
                \(verdict.expiresAt))
            """)
    }

    func verdicts(in db: Connection) throws -> [ProofVerdict] {
        try db.all(ProofVerdict.self, "SELECT * FROM miracl_proof ORDER BY auth_ott")
    }

    // MARK: Tickets

    func ticket(_ ticket: String, in db: Connection) throws -> ShareTicket? {
        try db.first(ShareTicket.self, "SELECT * FROM miracl_ticket WHERE ticket = \(ticket)")
    }

    func insert(_ ticket: ShareTicket, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_ticket (ticket, mpin_id, share, expires_at)
            VALUES (\(ticket.ticket), \(ticket.mpinID), \(ticket.share), \(ticket.expiresAt))
            """)
    }

    func tickets(in db: Connection) throws -> [ShareTicket] {
        try db.all(ShareTicket.self, "SELECT * FROM miracl_ticket ORDER BY ticket")
    }

    /// Takes away what nobody can use any more.
    func tidy(at now: Date, in db: Connection) throws {
        try db.execute("DELETE FROM miracl_pass WHERE expires_at < \(now)")
        try db.execute("DELETE FROM miracl_proof WHERE expires_at < \(now)")
        try db.execute("DELETE FROM miracl_ticket WHERE expires_at < \(now)")
    }
}
