import Essentials
import SQLite

/// One installation of an app. All its accounts share one PIN.
struct Instance: Sendable, Equatable {
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
    /// Number of the newest event.
    var lastEvent = 0
    let createdAt: Date
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

extension Instance: RowDecodable {
    init(row: Row) throws {
        let expiry = try row.optionalDate("challenge_expires_at")
        self.init(
            id: try row.text("id"), tokenDigest: try row.text("token_digest"),
            platform: try row.word("platform"), clientVersion: try row.text("client_version"),
            name: try row.optionalText("name"), pushToken: try row.optionalText("push_token"),
            factor: try SecondFactor(row: row),
            challenge: try row.optionalText("challenge").flatMap { text in
                expiry.map { Challenge(text: text, expiresAt: $0) }
            },
            lastEvent: try row.integer("last_event"), createdAt: try row.date("created_at"))
    }
}
