import Essentials
package import PlatformKit
package import SQLite

extension Hanko {
    package static func load(_ fixtures: HankoFixtures, into db: Connection) throws {
        try ConfigurationStore.load(
            fixtures.config ?? ConfigurationFixture(),
            OwnSettings(
                profile: fixtures.profile, strictPendingAddress: fixtures.strictPendingAddress,
                anyLocalhostOrigin: fixtures.anyLocalhostOrigin, adminKey: fixtures.adminKey,
                strictWebAuthn: fixtures.strictWebAuthn, fullUserAnswers: fixtures.fullUserAnswers),
            into: db)
        try AssociationStore.load(fixtures.association, into: db)
        var loader = HankoLoader(db: db)
        try each(fixtures.emails, "emails") {
            try loader.load($0, userID: nil, isPrimary: $0.isPrimary ?? false, at: $1)
        }
        try each(fixtures.users, "users") { try loader.load($0, at: $1) }
        try each(fixtures.users, "users") { try loader.loadPending(of: $0, at: $1) }
        try each(fixtures.passcodes, "passcodes") { try loader.load($0, at: $1) }
        try each(fixtures.sessions, "sessions") { try loader.load($0, at: $1) }
        try each(fixtures.rateLimits, "rate_limits") { try loader.load($0, at: $1) }
        try each(fixtures.trustedDevices, "trusted_devices") { try loader.load($0, at: $1) }
        try each(fixtures.challenges, "challenges") { try loader.load($0, at: $1) }
        try each(fixtures.flows, "flows") { try loader.load($0, at: $1) }
        try each(fixtures.thirdPartyStates, "third_party_states") { try loader.load($0, at: $1) }
        try each(fixtures.thirdPartyTokens, "third_party_tokens") { try loader.load($0, at: $1) }
        try each(fixtures.webhooks, "webhooks") { try loader.load($0, at: $1) }
        try each(fixtures.auditLog, "audit_logs") { try loader.load($0, at: $1) }
    }

    package static func remarks(on fixtures: HankoFixtures) throws -> [FixtureProblem] {
        try fixtures.config?.remarks() ?? []
    }

    /// Calls `body` with each entry and its path in the file.
    private static func each<Entry>(
        _ entries: [Entry]?, _ name: String, _ body: (Entry, [String]) throws -> Void
    ) rethrows {
        for (index, entry) in (entries ?? []).enumerated() { try body(entry, [name, String(index)]) }
    }
}
