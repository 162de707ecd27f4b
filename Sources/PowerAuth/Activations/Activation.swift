import Crypto
import Essentials
import PlatformKit
import SQLite

/// A registration of a device; the mobile protocol says activation.
struct Activation: Traced, Equatable {
    static let table: Table = "powerauth_activation"

    enum State: String, Codable, Sendable, CaseIterable {
        case created = "CREATED"
        case pendingCommit = "PENDING_COMMIT"
        case active = "ACTIVE"
        case blocked = "BLOCKED"
        case removed = "REMOVED"
    }

    enum CommitPhase: String, Codable, Sendable, CaseIterable {
        case onCommit = "ON_COMMIT"
        case onKeyExchange = "ON_KEY_EXCHANGE"
    }

    /// Version 4 UUID in lower case.
    let id: String
    let application: String
    let user: String
    /// As stored; ``state(at:)`` knows what time has done to it.
    var state: State
    var blockedReason: String?
    /// Set by the back end, without duplicates.
    var flags: [String]
    /// `XXXXX-XXXXX-XXXXX-XXXXX`; nil for one that was made without a code.
    let code: String?
    /// When an activation that is not complete ends.
    var expiresAt: Date
    let commitPhase: CommitPhase
    /// SHA-256 of salt and activation OTP; nil when none is asked for.
    var otp: SaltedDigest?
    /// Wrong activation OTPs.
    var otpFailures: Int
    /// Wrong authentication codes since the last right one.
    var failedAttempts: Int
    let maxFailedAttempts: Int
    /// KEY_SERVER: scalar, 32 bytes, and uncompressed point, 65 bytes, which follows from it.
    let serverKey: Base64Bytes
    let serverPoint: [UInt8]
    /// KEY_DEVICE, uncompressed point, 65 bytes; nil before the key exchange.
    var devicePoint: Base64Bytes?
    /// KEY_MASTER_SECRET, 16 bytes, which follows from the keys; nil before the key exchange.
    var masterSecret: [UInt8]?
    /// CTR_DATA that the server expects next, 16 bytes; nil before the key exchange.
    var counterData: Base64Bytes?
    /// How many steps CTR_DATA has made.
    var counter: Int
    var name: String?
    /// `ios`, `android`, `hw` or `unknown`; nil before the key exchange.
    var platform: String?
    var deviceInfo: String?
    var extras: String?
    var externalID: String?
    let createdAt: Date
    var lastUsedAt: Date
    var changedAt: Date

    /// What fixtures tell, and columns hold.
    enum CodingKeys: String, CodingKey {
        case id, application, user, state, flags, code, counter, name, platform, extras
        case blockedReason = "blocked_reason"
        case expiresAt = "expires_at"
        case commitPhase = "commit_phase"
        case otp = "otp_digest"
        case otpFailures = "otp_failures"
        case failedAttempts = "failed_attempts"
        case maxFailedAttempts = "max_failed_attempts"
        case serverKey = "server_key"
        case devicePoint = "device_public_key"
        case counterData = "counter_data"
        case deviceInfo = "device_info"
        case externalID = "external_id"
        case createdAt = "created_at"
        case lastUsedAt = "last_used_at"
        case changedAt = "changed_at"
    }

    var derivedColumns: [DerivedColumn] {
        [DerivedColumn("server_point", serverPoint), DerivedColumn("master_secret", masterSecret)]
    }

    /// What it is at this moment: an activation that was not completed in time is removed.
    func state(at now: Date) -> State {
        (state == .created || state == .pendingCommit) && now >= expiresAt ? .removed : state
    }

    /// Whether it is stored as if its time were not over.
    func hasRunOut(at now: Date) -> Bool { state != .removed && state(at: now) == .removed }

    /// Attempts that are left before it is blocked; 0 unless it is active.
    func remainingAttempts(at now: Date) -> Int {
        state(at: now) == .active ? max(0, maxFailedAttempts.subtracting(failedAttempts)) : 0
    }
}

extension Activation {
    /// Until it is active all that happens to it is one flow.
    var subjects: [Subject] {
        [Subject(.activation, id)]
            + (state == .created || state == .pendingCommit ? [Subject(.request, id, "Activation")] : [])
    }
}

extension Turn {
    /// Tells the journal that the request is about the device of `activation`, and about its user.
    func concern(_ activation: Activation) {
        concern(activation.subjects)
        if !activation.user.isEmpty { concern([Subject(.user, activation.user)]) }
    }
}

extension Activation {
    /// The keys that follow from the master secret; nil before the key exchange.
    func derivedKeys() throws -> DerivedKeys? {
        try masterSecret.map { try DerivedKeys(MasterSecret(SecretKey($0))) }
    }

    /// Those of authentication codes alone: fewer to derive.
    func factorKeys() throws -> FactorKeys? {
        guard let masterSecret else { return nil }
        let key = try SecretKey(masterSecret)
        return try FactorKeys(
            possession: key.derived(1), knowledge: key.derived(2), biometry: key.derived(3))
    }
}

extension Activation {
    /// The number that the app shows before the commit; nil before the key exchange.
    func fingerprint() throws -> String? {
        guard let point = devicePoint?.bytes else { return nil }
        return try Fingerprint.digits(
            device: PublicKey(x962: point), activationID: id,
            server: PublicKey(x962: serverPoint))
    }
}

extension Activation {
    /// What a wrong authentication code makes of it: blocked by the last one. It is a use as well.
    func countingFailure(at now: Date) -> Activation {
        var after = used(at: now)
        after.failedAttempts.increment()
        return after.failedAttempts >= maxFailedAttempts ? after.blockedByAttempts(at: now) : after
    }

    func used(at now: Date) -> Activation {
        var after = self
        after.lastUsedAt = now
        return after
    }

    /// With the state that it is told in at this moment.
    func told(at now: Date) -> Activation {
        var told = self
        told.state = state(at: now)
        return told
    }

    static let blockedByAttempts = "MAX_FAILED_ATTEMPTS"

    func blockedByAttempts(at now: Date) -> Activation {
        var after = self
        (after.state, after.blockedReason) = (.blocked, Self.blockedByAttempts)
        after.changedAt = now
        return after
    }
}

/// A salt and what comes of it and a secret.
struct SaltedDigest: Sendable, Equatable {
    /// 16 bytes.
    let salt: [UInt8]
    /// SHA-256.
    let digest: [UInt8]

    init(of secret: String, salt: [UInt8]) {
        (self.salt, digest) = (salt, Digest.sha256(salt + Array(secret.utf8)))
    }

    func matches(_ secret: String) -> Bool {
        constantTimeEqual(digest, Digest.sha256(salt + Array(secret.utf8)))
    }
}

/// Both in hexadecimal with a colon between them.
extension SaltedDigest: RawRepresentable, Codable {
    init?(rawValue: String) {
        let parts = rawValue.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, let salt = Hex.decode(String(parts[0])),
            let digest = Hex.decode(String(parts[1])), digest.count == 32
        else { return nil }
        (self.salt, self.digest) = (salt, digest)
    }

    var rawValue: String { Hex.encode(salt) + ":" + Hex.encode(digest) }
}
