import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// One user on one device: what an M-Pin id stands for.
struct Identity: Traced, Equatable {
    static let table = Table("miracl_identity", key: "mpin_id", limit: 10_000)

    /// Where it stands in its life; that it has expired is told by its times alone.
    enum State: String, Codable, Sendable, CaseIterable {
        /// The user has not proved yet to be the owner of the id.
        case pending
        case verified
        /// Both shares were handed out, or the first one was.
        case issued
        /// A proof was good.
        case active
        /// Too many wrong PINs.
        case blocked
        case revoked
    }

    /// How it was verified.
    enum Origin: String, Codable, Sendable, CaseIterable {
        case mail, custom, forced
        /// A code that another device of the user showed.
        case registrationCode = "registration_code"
        case quickCode = "quick_code"
        /// Another identity of the same device: for signing, or in the place of one that had to be renewed.
        case renewal
    }

    /// Which client it was made for: what it is for.
    enum Purpose: String, Codable, Sendable, CaseIterable {
        case authentication = "auth"
        /// Signatures of the second generation's predecessor: an identity of its own.
        case signing = "dvs"
    }

    /// The M-Pin id: bytes of a JSON object as hexadecimal text in lower case.
    var mpinID: String
    var projectID: String
    var userID: String
    var deviceName: String
    var purpose: Purpose = .authentication
    var state: State
    var origin: Origin?
    /// Hexadecimal; nil for an identity without a key pair.
    var publicKey: String?
    /// Of the client's registration, with which it asks for the first share.
    var regOTT: String
    /// Until when the shares can be fetched.
    var registrationExpiresAt: Date
    /// Wrong PINs since the last right one.
    var wrongCount = 0
    var pushToken: String?
    /// Whether the next good proof is answered with new secrets.
    var needsRenewal = false
    /// `dtas` of the master shares that its secrets were made of.
    var dtas: String
    /// Nil while its secrets are the first ones, and no others were handed out.
    var renewal: Renewal?
    var createdAt: Date
    var lastUsedAt: Date?
    /// Nil for one that lives until it is revoked.
    var expiresAt: Date?

    enum CodingKeys: String, CodingKey {
        case purpose, state, origin, dtas, renewal
        case mpinID = "mpin_id"
        case projectID = "project_id"
        case userID = "user_id"
        case deviceName = "device_name"
        case publicKey = "public_key"
        case regOTT = "reg_ott"
        case registrationExpiresAt = "registration_expires_at"
        case wrongCount = "wrong_count"
        case pushToken = "push_token"
        case needsRenewal = "needs_renewal"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case expiresAt = "expires_at"
    }
}

extension Identity {
    var subjects: [Subject] { [Subject(.identity, secret: mpinID), Subject(.user, userID)] }
}

extension Identity {
    /// The M-Pin id's own bytes.
    var idBytes: [UInt8] { Hex.decode(mpinID) ?? [] }

    /// SHA-256 of the M-Pin id, hexadecimal: how back ends name it.
    var hashMPinID: String { Hex.encode(Digest.sha256(idBytes)) }

    /// What its secrets are made for.
    func point() throws(MPinError) -> MPinIdentity {
        MPinIdentity(idBytes, publicKey: try publicKey.map { key throws(MPinError) in try G2Point(hex: key) })
    }

    /// For those who have only the hash.
    var derivedColumns: [DerivedColumn] { [DerivedColumn("hash", hashMPinID)] }

    /// The newest first.
    static func all(of userID: String, in projectID: String, _ db: Connection) throws -> [Identity] {
        try db.all(
            Identity.self, where: "project_id = \(projectID) AND user_id = \(userID)", order: "position DESC")
    }

    /// - Parameter name: an M-Pin id or its SHA-256, hexadecimal in lower case.
    static func named(_ name: String, in db: Connection) throws -> Identity? {
        try db.first(Identity.self, where: "hash = \(name)")
            ?? db.first(Identity.self, where: "mpin_id = \(name)")
    }

    static func find(_ mpinID: String, in db: Connection) throws -> Identity? {
        try db.first(Identity.self, where: "mpin_id = \(mpinID)")
    }

    func isExpired(at now: Date) -> Bool { expiresAt.map { $0 <= now } ?? false }

    /// Whether it can still be given its shares.
    func isRegistering(at now: Date) -> Bool {
        switch state {
        case .pending, .verified, .issued: registrationExpiresAt > now
        case .active, .blocked, .revoked: false
        }
    }
}

extension Identity {
    /// Ends it for good.
    func revoke(_ request: Request, clientID: String? = nil, _ reason: String?, in turn: Turn) throws {
        turn.note(
            "identity revoked", about: userID,
            "The identity of \(userID) on “\(deviceName)” was revoked\(reason.map { ": " + $0.prefix(200) } ?? ""). "
                + "The next proof of that device ends in 410.")
        guard state != .revoked else { return }
        var revoked = self
        revoked.state = .revoked
        try turn.update(revoked)
        try turn.audit("revocation", "revocation_success", of: self, clientID: clientID, request)
    }
}
