import Essentials
import SQLite

/// The identities of all projects: the newest 10,000.
struct IdentityStore: Sendable {
    static let limit = 10_000

    func find(_ mpinID: String, in db: Connection) throws -> Identity? {
        try db.first(Identity.self, "SELECT * FROM miracl_identity WHERE mpin_id = \(mpinID)")
    }

    /// - Parameter hash: SHA-256 of the M-Pin id, hexadecimal in lower case.
    func find(hash: String, in db: Connection) throws -> Identity? {
        try db.first(Identity.self, "SELECT * FROM miracl_identity WHERE hash = \(hash)")
    }

    /// The newest first.
    func all(of userID: String, in projectID: String, _ db: Connection) throws -> [Identity] {
        try db.all(
            Identity.self,
            """
            SELECT * FROM miracl_identity WHERE project_id = \(projectID) AND user_id = \(userID)
            ORDER BY position DESC
            """)
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [Identity] {
        try db.all(Identity.self, "SELECT * FROM miracl_identity ORDER BY position")
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for an id that is taken.
    func insert(_ identity: Identity, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO miracl_identity (mpin_id, hash, project_id, user_id, device_name, purpose, state, origin,
                public_key, reg_ott, registration_expires_at, wrong_count, push_token, needs_renewal, dtas,
                created_at, last_used_at, expires_at, offered_key, offered_dtas, replaced_key, replaced_dtas,
                replaced_at, predecessor, successor)
            VALUES (\(identity.mpinID), \(identity.hashMPinID), \(identity.projectID), \(identity.userID),
                \(identity.deviceName), \(identity.purpose.rawValue), \(identity.state.rawValue),
                \(identity.origin?.rawValue), \(identity.publicKey), \(identity.regOTT),
                \(identity.registrationExpiresAt), \(identity.wrongCount), \(identity.pushToken),
                \(identity.needsRenewal), \(identity.dtas), \(identity.createdAt), \(identity.lastUsedAt),
                \(identity.expiresAt), \(identity.renewal?.offered?.publicKey),
                \(identity.renewal?.offered?.dtas), \(identity.renewal?.replaced?.publicKey),
                \(identity.renewal?.replaced?.dtas), \(identity.renewal?.replacedAt),
                \(identity.renewal?.predecessor), \(identity.renewal?.successor))
            """)
        try db.execute(
            """
            DELETE FROM miracl_identity WHERE position <=
                (SELECT position FROM miracl_identity ORDER BY position DESC LIMIT 1 OFFSET \(Self.limit))
            """)
    }

    /// Replaces what can change in an identity's life.
    func update(_ identity: Identity, in db: Connection) throws {
        try db.execute(
            """
            UPDATE miracl_identity SET device_name = \(identity.deviceName), state = \(identity.state.rawValue),
                origin = \(identity.origin?.rawValue), public_key = \(identity.publicKey),
                reg_ott = \(identity.regOTT), registration_expires_at = \(identity.registrationExpiresAt),
                wrong_count = \(identity.wrongCount), push_token = \(identity.pushToken),
                needs_renewal = \(identity.needsRenewal), dtas = \(identity.dtas),
                last_used_at = \(identity.lastUsedAt), expires_at = \(identity.expiresAt),
                offered_key = \(identity.renewal?.offered?.publicKey),
                offered_dtas = \(identity.renewal?.offered?.dtas),
                replaced_key = \(identity.renewal?.replaced?.publicKey),
                replaced_dtas = \(identity.renewal?.replaced?.dtas),
                replaced_at = \(identity.renewal?.replacedAt), predecessor = \(identity.renewal?.predecessor),
                successor = \(identity.renewal?.successor)
            WHERE mpin_id = \(identity.mpinID)
            """)
    }

    func remove(_ mpinID: String, in db: Connection) throws {
        try db.execute("DELETE FROM miracl_pass WHERE mpin_id = \(mpinID)")
        try db.execute("DELETE FROM miracl_proof WHERE mpin_id = \(mpinID)")
        try db.execute("DELETE FROM miracl_ticket WHERE mpin_id = \(mpinID)")
        try db.execute("DELETE FROM miracl_code WHERE mpin_id = \(mpinID)")
        try db.execute("DELETE FROM miracl_identity WHERE mpin_id = \(mpinID)")
    }
}
