import Essentials
package import PlatformKit
package import SQLite

extension Hanko {
    package static func load(_ fixtures: HankoFixtures, into db: Connection) throws {
        try HankoSettings.kept.set(fixtures.settings, in: db)
        let state = fixtures.state
        var rules = HankoRules()
        for (index, email) in (state.emails ?? []).enumerated() {
            let path = ["emails", String(index)]
            try db.insert(rules.email(email, of: nil, isPrimary: email.isPrimary ?? false, at: path))
        }
        let users = (state.users ?? []).enumerated().map { ($1, path: ["users", String($0)]) }
        for (user, path) in users { try user.load(&rules, at: path, into: db) }
        // Only now all addresses are in.
        for (fixture, path) in users {
            guard let pending = fixture.user.pendingEmailID else { continue }
            try rules.requireEmail(pending, "pending_email_id", at: path)
            try db.update(fixture.user)
        }
        try HankoState.lists.load(state, &rules, into: db)
    }

    package static func export(from db: Connection) throws -> HankoFixtures {
        var state = HankoState()
        try HankoState.lists.export(into: &state, from: db)
        state.users = try db.all(User.self).compactMap { try db.account($0.id).map(UserFixture.init) }
        state.emails = try db.all(Email.self, where: "user_id IS NULL").map(EmailFixture.init)
        return HankoFixtures(
            settings: try HankoSettings.kept.value(in: db) ?? HankoSettings(), state: state)
    }
}

extension Hanko: ReviewsFixtures {
    package static func review(_ fixtures: HankoFixtures) -> [FixtureFinding] {
        (fixtures.settings.remarks + early(fixtures)).map { FixtureFinding(.remark, $0) }
    }

    /// Hooks that wait for what the line of Hanko that answers does not tell.
    private static func early(_ fixtures: HankoFixtures) -> [FixtureProblem] {
        guard fixtures.settings.configuration.own.generation != .next else { return [] }
        return (fixtures.state.webhooks ?? []).enumerated().filter { $1.events.contains(where: \.isOfNext) }
            .map { index, _ in
                FixtureProblem(
                    at: ["webhooks", String(index), "events"],
                    "no session event is told: those are events of the profile “next”")
            }
    }
}
