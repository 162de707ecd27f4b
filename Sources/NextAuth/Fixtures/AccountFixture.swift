import Essentials
import PlatformKit

/// An account in a fixture file.
struct AccountFixture: Codable, Sendable {
    var id: Int
    var server: String
    var instance: String
    var user: String?
    /// P-256, SPKI in base64url.
    var publicKey: String
    var name: String
    var description: String?
    var userInput: String?
    /// False when left out.
    var isBlocked: Bool?
    /// False when left out.
    var isHeadless: Bool?
    /// 2026-01-01 when left out.
    var createdAt: Date?
    var lastLoginAt: Date?
    var lastProvokedAt: Date?

    enum CodingKeys: String, CodingKey {
        case id, server, instance, user, name, description
        case publicKey = "public_key"
        case userInput = "user_input"
        case isBlocked = "is_blocked"
        case isHeadless = "is_headless"
        case createdAt = "created_at"
        case lastLoginAt = "last_login_at"
        case lastProvokedAt = "last_provoked_at"
    }
}

extension AccountFixture {
    init(_ account: Account) {
        self.init(
            id: account.id, server: account.server, instance: account.instance, user: account.user,
            publicKey: account.publicKey, name: account.name, description: account.description,
            userInput: account.userInput, isBlocked: account.isBlocked, isHeadless: account.isHeadless,
            createdAt: account.createdAt, lastLoginAt: account.lastLoginAt,
            lastProvokedAt: account.lastProvokedAt)
    }

    func account(at path: [String]) throws -> Account {
        try FixtureRules.require(1...1_000_000_000, id, at: path + ["id"])
        try FixtureRules.requireKey(publicKey, at: path + ["public_key"])
        return Account(
            id: id, server: server, instance: instance, user: user, publicKey: publicKey, name: name,
            description: description ?? name, userInput: userInput, isBlocked: isBlocked ?? false,
            isHeadless: isHeadless ?? false, createdAt: createdAt ?? NextAuth.standardTime,
            lastLoginAt: lastLoginAt, lastProvokedAt: lastProvokedAt)
    }
}
