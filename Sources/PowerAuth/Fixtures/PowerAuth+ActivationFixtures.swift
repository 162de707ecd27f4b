import Crypto
import Essentials
import PlatformKit
import SQLite

/// Activations with their keys, so that a test can begin with an active device.
extension PowerAuth {
    /// The time of an entry that says none: 2026-01-01T00:00:00Z.
    static let standardTime = Date(timeIntervalSince1970: 1_767_225_600)

    static func loadActivations(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        var ids: Set<String> = []
        for (index, fixture) in (fixtures.activations ?? []).enumerated() {
            let path = ["activations", String(index)]
            try FixtureRules.requireUUID(fixture.id, at: path + ["id"])
            try FixtureRules.requireUnique(fixture.id, in: &ids, at: path + ["id"])
            guard try ApplicationStore().find(fixture.application, in: db) != nil else {
                throw FixtureProblem(
                    at: path + ["application"],
                    "there is no application \"\(fixture.application.prefix(60))\"")
            }
            try ActivationStore().insert(activation(fixture, at: path), in: db)
        }
        for entry in fixtures.activationHistory ?? [] {
            try HistoryStore().insert(
                HistoryEntry(
                    id: 0, activation: entry.activation, state: entry.state, reason: entry.reason,
                    externalUser: entry.externalUser, name: entry.name, at: entry.at), in: db)
        }
    }

    private static func activation(_ fixture: ActivationFixture, at path: [String]) throws -> Activation {
        try check(fixture, at: path)
        let scalar = try FixtureRules.requireBase64(fixture.serverKey, [32], at: path + ["server_key"])
        let server = try key(at: path + ["server_key"]) { try PrivateKey(scalar: scalar) }
        let device = try fixture.devicePublicKey.map { text in
            let path = path + ["device_public_key"]
            let point = try FixtureRules.requireBase64(text, [33, 65], at: path)
            return try key(at: path) { try CurvePoint(x962: point) }
        }
        let createdAt = fixture.createdAt ?? standardTime
        return Activation(
            id: fixture.id, application: fixture.application, user: fixture.user,
            state: fixture.state ?? .active, blockedReason: fixture.blockedReason,
            flags: fixture.flags ?? [], code: fixture.code, expiresAt: fixture.expiresAt ?? createdAt + 300,
            commitPhase: fixture.commitPhase ?? .onCommit, otp: try otp(of: fixture, at: path),
            otpFailures: fixture.otpFailures ?? 0, failedAttempts: fixture.failedAttempts ?? 0,
            maxFailedAttempts: fixture.maxFailedAttempts ?? 5, serverKey: try server.ecSecret(),
            serverPoint: try server.publicKey.x962(), devicePoint: device?.x962,
            masterSecret: try device.map { try MasterSecret(own: SecretScalar(scalar), peer: $0).key.bytes },
            counterData: try fixture.counterData.map {
                try FixtureRules.requireBase64($0, [16], at: path + ["counter_data"])
            }, counter: fixture.counter ?? 0, name: fixture.name, platform: fixture.platform,
            deviceInfo: fixture.deviceInfo, extras: fixture.extras, externalID: fixture.externalID,
            createdAt: createdAt, lastUsedAt: fixture.lastUsedAt ?? createdAt,
            changedAt: fixture.changedAt ?? createdAt)
    }

    private static func check(_ fixture: ActivationFixture, at path: [String]) throws {
        try FixtureRules.requireName(fixture.user, at: path + ["user"])
        for (name, value, range) in [
            ("otp_failures", fixture.otpFailures ?? 0, 0...64),
            ("failed_attempts", fixture.failedAttempts ?? 0, 0...64),
            ("max_failed_attempts", fixture.maxFailedAttempts ?? 5, 1...64),
            ("counter", fixture.counter ?? 0, 0...1_000_000_000),
        ] { try FixtureRules.require(range, value, at: path + [name]) }
        if let code = fixture.code {
            do {
                _ = try ActivationCode(code)
            } catch let fault as ProtocolFault {
                throw FixtureProblem(at: path + ["code"], "\(fault)")
            }
        }
        let state = fixture.state ?? .active
        guard state != .created, state != .removed else { return }
        if fixture.devicePublicKey == nil {
            throw FixtureProblem(at: path, "an activation that is \(state.rawValue) has a device_public_key")
        }
        if fixture.counterData == nil {
            throw FixtureProblem(at: path, "an activation that is \(state.rawValue) has counter_data")
        }
    }

    private static func key<Key>(at path: [String], _ make: () throws -> Key) throws -> Key {
        do {
            return try make()
        } catch let error as CryptoError {
            throw FixtureProblem(at: path, "expected a key of P-256: \(error)")
        }
    }

    private static func otp(of fixture: ActivationFixture, at path: [String]) throws -> SaltedDigest? {
        if let otp = fixture.otp {
            return SaltedDigest(
                of: otp, salt: Array(Digest.sha256(Array(fixture.id.utf8)).prefix(16)))
        }
        guard let salt = fixture.otpSalt, let digest = fixture.otpDigest else { return nil }
        return SaltedDigest(
            salt: try FixtureRules.requireHex(salt, at: path + ["otp_salt"]),
            digest: try FixtureRules.requireHex(digest, at: path + ["otp_digest"]))
    }

    static func exportActivations(to fixtures: inout PowerAuthFixtures, from db: Connection) throws {
        fixtures.activations = try ActivationStore().all(in: db).reversed().map(fixture)
        fixtures.activationHistory = try HistoryStore().all(in: db).map { entry in
            HistoryFixture(
                activation: entry.activation, state: entry.state, reason: entry.reason,
                externalUser: entry.externalUser, name: entry.name, at: entry.at)
        }
    }

    private static func fixture(of activation: Activation) -> ActivationFixture {
        ActivationFixture(
            id: activation.id, application: activation.application, user: activation.user,
            state: activation.state, blockedReason: activation.blockedReason, flags: activation.flags,
            code: activation.code, expiresAt: activation.expiresAt, commitPhase: activation.commitPhase,
            otpSalt: activation.otp.map { Hex.encode($0.salt) },
            otpDigest: activation.otp.map { Hex.encode($0.digest) }, otpFailures: activation.otpFailures,
            failedAttempts: activation.failedAttempts, maxFailedAttempts: activation.maxFailedAttempts,
            serverKey: Base64.encode(activation.serverKey),
            devicePublicKey: activation.devicePoint.map(Base64.encode),
            counterData: activation.counterData.map(Base64.encode), counter: activation.counter,
            name: activation.name, platform: activation.platform, deviceInfo: activation.deviceInfo,
            extras: activation.extras, externalID: activation.externalID, createdAt: activation.createdAt,
            lastUsedAt: activation.lastUsedAt, changedAt: activation.changedAt)
    }
}
