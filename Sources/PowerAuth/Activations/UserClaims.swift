import Essentials
import HTTP
import PlatformKit
import SQLite

/// What is told to apps about a user: OpenID Connect claims as they were put here. Source: OpenID Connect Core §5.1.
struct UserClaims: Record, Equatable {
    static let table = Table("powerauth_user_claims", key: "user")

    let user: String
    let claims: [String: JSONValue]

    /// With `sub`; nil when there is nothing to tell.
    static func find(_ user: String, in db: Connection) throws -> [String: JSONValue]? {
        guard var claims = try db.first(UserClaims.self, where: "user = \(user)")?.claims else { return nil }
        claims["sub"] = .string(user)
        return claims
    }

    /// What apps are told: the claims that are stored, or the least of them.
    static func told(of user: String, _ entropy: Entropy, in turn: Turn) throws -> [String: JSONValue] {
        try find(user, in: turn.db) ?? [
            "sub": .string(user), "iat": .integer(turn.now.unixMilliseconds / 1000),
            "jti": .string(entropy.uuid(for: "powerauth.user-info")),
        ]
    }
}
