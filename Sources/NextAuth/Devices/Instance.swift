import Crypto
import Essentials
import PlatformKit
import SQLite

/// One installation of an app. All its accounts share one PIN. One without accounts costs nobody anything, so the newest 10,000 of
/// those are kept.
struct Instance: Traced, Equatable {
    static let table = Table(
        "nextauth_instance", limit: 10_000,
        keeping: "EXISTS (SELECT 1 FROM nextauth_account WHERE instance = nextauth_instance.id)")

    enum Platform: String, Sendable, Codable, CaseIterable {
        case android, ios, test
    }

    /// 16 bytes, base64url.
    let id: String
    /// SHA-256 of the token, hexadecimal.
    let tokenDigest: String
    let platform: Platform
    let clientVersion: String
    var name: String?
    var pushToken: String?
    var factor = SecondFactor()
    /// A challenge outside of a flow, for one proof.
    var challenge: Challenge?
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, platform, name, challenge
        case tokenDigest = "token_digest"
        case clientVersion = "client_version"
        case pushToken = "push_token"
        case factor = "second_factor"
        case createdAt = "created_at"
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_instance (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- 16 bytes in base64url
            token_digest TEXT NOT NULL UNIQUE, -- SHA-256, hexadecimal
            platform TEXT NOT NULL,
            client_version TEXT NOT NULL,
            name TEXT,
            push_token TEXT,
            second_factor TEXT NOT NULL, -- JSON
            challenge TEXT, -- JSON
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """
    ]
}

extension Instance {
    var subjects: [Subject] { [Subject(.registration, id)] }
}

extension Instance {
    /// What a fixture file may say for convenience.
    private enum Convenience: String, CodingKey {
        /// In the place of its digest.
        case token
        /// In the place of the key that is derived of it.
        case pin
    }

    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        let easy = try decoder.container(keyedBy: Convenience.self)
        id = try fields.decode(String.self, forKey: .id)
        tokenDigest =
            easy.contains(.token) && !fields.contains(.tokenDigest)
            ? Self.digest(of: try easy.decode(String.self, forKey: .token))
            : try fields.decode(String.self, forKey: .tokenDigest)
        platform = try fields.decodeIfPresent(Platform.self, forKey: .platform) ?? .test
        clientVersion = try fields.decodeIfPresent(String.self, forKey: .clientVersion) ?? "1"
        name = try fields.decodeIfPresent(String.self, forKey: .name)
        pushToken = try fields.decodeIfPresent(String.self, forKey: .pushToken)
        factor = try fields.decodeIfPresent(SecondFactor.self, forKey: .factor) ?? SecondFactor()
        if easy.contains(.pin) {
            factor.pinKey = try DeviceKey.pinKey(of: easy.decode(String.self, forKey: .pin), instance: id)
        }
        challenge = try fields.decodeIfPresent(Challenge.self, forKey: .challenge)
        createdAt = try fields.decodeIfPresent(Date.self, forKey: .createdAt) ?? .ofFixtures
    }

    /// What is kept of a token.
    static func digest(of token: String) -> String { Hex.encode(Digest.sha256(Array(token.utf8))) }

    static func find(_ id: String, in db: Connection) throws -> Instance? {
        try db.first(Instance.self, where: "id = \(id)")
    }

    static func find(tokenDigest: String, in db: Connection) throws -> Instance? {
        try db.first(Instance.self, where: "token_digest = \(tokenDigest)")
    }
}

/// 32 random bytes that a device has to prove something with, for a limited time.
struct Challenge: Sendable, Equatable, Codable {
    /// Base64url.
    let text: String
    let expiresAt: Date

    enum CodingKeys: String, CodingKey {
        case text
        case expiresAt = "expires_at"
    }
}
