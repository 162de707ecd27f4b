import Crypto
import Essentials
import PlatformKit
import SQLite

extension Activation {
    /// For convenience; an export has salt and digest instead.
    private enum PlainKeys: String, CodingKey { case otp }

    /// From a fixture file. What follows from keys that are none is left out here: ``FixtureRules`` tell of those with their place.
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        func texts(_ key: CodingKeys) throws -> String? {
            try fields.decodeIfPresent(String.self, forKey: key)
        }
        func number(_ key: CodingKeys) throws -> Int? { try fields.decodeIfPresent(Int.self, forKey: key) }
        func date(_ key: CodingKeys) throws -> Date? { try fields.decodeIfPresent(Date.self, forKey: key) }
        id = try fields.decode(String.self, forKey: .id)
        application = try fields.decode(String.self, forKey: .application)
        user = try fields.decode(String.self, forKey: .user)
        state = try fields.decodeIfPresent(State.self, forKey: .state) ?? .active
        blockedReason = try texts(.blockedReason)
        flags = try fields.decodeIfPresent([String].self, forKey: .flags) ?? []
        code = try texts(.code)
        commitPhase = try fields.decodeIfPresent(CommitPhase.self, forKey: .commitPhase) ?? .onCommit
        let plain = try decoder.container(keyedBy: PlainKeys.self).decodeIfPresent(String.self, forKey: .otp)
        let kept = try fields.decodeIfPresent(SaltedDigest.self, forKey: .otp)
        let salt = Array(Digest.sha256(Array(id.utf8)).prefix(16))
        otp = plain.map { SaltedDigest(of: $0, salt: salt) } ?? kept
        (otpFailures, failedAttempts) = (try number(.otpFailures) ?? 0, try number(.failedAttempts) ?? 0)
        maxFailedAttempts = try number(.maxFailedAttempts) ?? 5
        let keys = Keys(
            server: try fields.decode(Base64Bytes.self, forKey: .serverKey).bytes,
            device: try fields.decodeIfPresent(Base64Bytes.self, forKey: .devicePoint)?.bytes)
        (serverKey, serverPoint) = (Base64Bytes(keys.server), keys.serverPoint)
        (devicePoint, masterSecret) = (keys.device.map(Base64Bytes.init), keys.masterSecret)
        counterData = try fields.decodeIfPresent(Base64Bytes.self, forKey: .counterData)
        counter = try number(.counter) ?? 0
        (name, platform) = (try texts(.name), try texts(.platform))
        (deviceInfo, extras, externalID) = (
            try texts(.deviceInfo), try texts(.extras), try texts(.externalID)
        )
        let createdAt = try date(.createdAt) ?? .ofFixtures
        self.createdAt = createdAt
        expiresAt = try date(.expiresAt) ?? createdAt + 300
        (lastUsedAt, changedAt) = (try date(.lastUsedAt) ?? createdAt, try date(.changedAt) ?? createdAt)
    }

    /// A pair of keys, and what follows from them.
    private struct Keys {
        let server: [UInt8]
        var device: [UInt8]?
        var serverPoint: [UInt8] = []
        var masterSecret: [UInt8]?

        init(server: [UInt8], device: [UInt8]?) {
            (self.server, self.device) = (server, device)
            guard let key = try? PrivateKey(scalar: server), let point = try? key.publicKey.x962() else {
                return
            }
            serverPoint = point
            guard let device, let point = try? CurvePoint(x962: device) else { return }
            self.device = point.x962
            masterSecret = try? MasterSecret(own: SecretScalar(server), peer: point).key.bytes
        }
    }

    /// By hand: every request of a device reads one. In a debug build that takes 94 µs with its query, 145 µs with a synthesized reader.
    init(row: Row) throws {
        guard let state = State(rawValue: try row.text("state")),
            let phase = CommitPhase(rawValue: try row.text("commit_phase"))
        else { throw StoredValueUnknown(table: "powerauth_activation", id: try row.text("id")) }
        self.init(
            id: try row.text("id"), application: try row.text("application"), user: try row.text("user"),
            state: state, blockedReason: try row.optionalText("blocked_reason"),
            flags: try row.strings("flags"),
            code: try row.optionalText("code"), expiresAt: try row.date("expires_at"), commitPhase: phase,
            otp: try row.optionalText("otp_digest").map(Self.otp),
            otpFailures: try row.integer("otp_failures"),
            failedAttempts: try row.integer("failed_attempts"),
            maxFailedAttempts: try row.integer("max_failed_attempts"),
            serverKey: Base64Bytes(try row.blob("server_key")),
            serverPoint: try row.blob("server_point"),
            devicePoint: try row.optionalBlob("device_public_key").map(Base64Bytes.init),
            masterSecret: try row.optionalBlob("master_secret"),
            counterData: try row.optionalBlob("counter_data").map(Base64Bytes.init),
            counter: try row.integer("counter"),
            name: try row.optionalText("name"), platform: try row.optionalText("platform"),
            deviceInfo: try row.optionalText("device_info"), extras: try row.optionalText("extras"),
            externalID: try row.optionalText("external_id"), createdAt: try row.date("created_at"),
            lastUsedAt: try row.date("last_used_at"), changedAt: try row.date("changed_at"))
    }

    private static func otp(_ text: String) throws -> SaltedDigest {
        if let digest = SaltedDigest(rawValue: text) { return digest }
        throw StoredValueUnknown(table: "powerauth_activation", id: text)
    }
}

// Queries.
extension Activation {
    static func find(_ id: String, in db: Connection) throws -> Activation? {
        try db.first(Activation.self, where: "id = \(id)")
    }

    /// - Parameter known: one that the turn has read already, and that may be it: reading is dear.
    static func find(_ id: String, knowing known: Activation?, in db: Connection) throws -> Activation? {
        if let known, known.id == id { return known }
        return try find(id, in: db)
    }

    /// Those of a user, newest first.
    static func all(of user: String, in db: Connection) throws -> [Activation] {
        try db.all(Activation.self, where: "user = \(user)", order: "created_at DESC, position DESC")
    }

    /// Those of an application with this code, newest first; a used code may appear again.
    static func all(withCode code: String, in application: String, _ db: Connection) throws -> [Activation] {
        try db.all(
            Activation.self, where: "code = \(code) AND application = \(application)", order: "position DESC")
    }

    /// Users who have an active device, by name.
    static func activeUsers(atMost count: Int, in db: Connection) throws -> [String] {
        var users: [String] = []
        try db.each(
            """
            SELECT DISTINCT user FROM powerauth_activation WHERE state = 'ACTIVE' ORDER BY user LIMIT \(count)
            """
        ) { row in users.append(try row.text("user")) }
        return users
    }

    /// Writes what every use of an activation changes, and nothing else.
    func updateFailures(in turn: Turn) throws { try turn.update(self, .failedAttempts, .lastUsedAt) }

    /// The same, and the counter.
    func updateUse(in turn: Turn) throws {
        try turn.update(self, .counterData, .counter, .failedAttempts, .lastUsedAt)
    }
}

extension Row {
    /// A column that holds a JSON array of texts.
    func strings(_ column: String) throws -> [String] {
        guard let texts = try json(column).strings else { throw StoredListUnknown(column: column) }
        return texts
    }

    /// A column that holds any JSON value.
    func json(_ column: String) throws -> JSONValue { try JSONValue(parsing: Array(text(column).utf8)) }
}
