import Crypto
import Essentials
import PlatformKit

/// An installation of an app in a fixture file.
struct InstanceFixture: Codable, Sendable {
    /// 16 bytes in base64url.
    var id: String
    /// For convenience; an exported instance has the digest instead.
    var token: String?
    /// SHA-256 of the token, hexadecimal.
    var tokenDigest: String?
    /// `test` when left out.
    var platform: Instance.Platform?
    var clientVersion: String?
    var name: String?
    var pushToken: String?
    /// For convenience; an exported instance has what is derived of it.
    var pin: String?
    var secondFactor: SecondFactor?
    var challenge: Challenge?
    var lastEvent: Int?
    /// 2026-01-01 when left out.
    var createdAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, token, platform, name, pin, challenge
        case tokenDigest = "token_digest"
        case clientVersion = "client_version"
        case pushToken = "push_token"
        case secondFactor = "second_factor"
        case lastEvent = "last_event"
        case createdAt = "created_at"
    }
}

extension InstanceFixture {
    init(_ instance: Instance) {
        self.init(
            id: instance.id, tokenDigest: instance.tokenDigest, platform: instance.platform,
            clientVersion: instance.clientVersion, name: instance.name, pushToken: instance.pushToken,
            secondFactor: instance.factor, challenge: instance.challenge, lastEvent: instance.lastEvent,
            createdAt: instance.createdAt)
    }

    func instance(at path: [String]) throws -> Instance {
        try FixtureRules.requireBytes(id, 16, at: path + ["id"])
        guard let digest = token.map(Instance.digest(of:)) ?? tokenDigest else {
            throw FixtureProblem(at: path, "expected a token, or its token_digest")
        }
        var factor = secondFactor ?? SecondFactor()
        if let pin { factor.pinKey = try DeviceKey.pinKey(of: pin, instance: id) }
        if let key = factor.pinKey {
            try FixtureRules.requireBytes(key, 32, at: path + ["second_factor", "pin_key"])
        }
        if let key = factor.biometricKey {
            try FixtureRules.requireKey(key, at: path + ["second_factor", "biometric_key"])
        }
        return Instance(
            id: id, tokenDigest: digest, platform: platform ?? .test, clientVersion: clientVersion ?? "1",
            name: name, pushToken: pushToken, factor: factor, challenge: challenge,
            lastEvent: lastEvent ?? 0, createdAt: createdAt ?? NextAuth.standardTime)
    }
}

extension Instance {
    /// What is kept of a token.
    static func digest(of token: String) -> String { Hex.encode(Digest.sha256(Array(token.utf8))) }
}
