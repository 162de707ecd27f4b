import Essentials
import OpenID
package import PlatformKit
package import SQLite

extension Onegini {
    package static func load(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try AuthorizationServer.load(fixtures.oauthWithDevices(), server: name, into: db)
        var rules = FixtureRules()
        try OneginiFixtures.lists.load(fixtures, &rules, into: db)
    }

    package static func export(from db: Connection) throws -> OneginiFixtures {
        var fixtures = OneginiFixtures()
        fixtures.oauth = try AuthorizationServer.export(server: name, from: db)
        try OneginiFixtures.lists.export(into: &fixtures, from: db)
        return fixtures
    }
}

extension Onegini: ReviewsFixtures {
    package static func review(_ fixtures: OneginiFixtures) -> [FixtureFinding] {
        FixtureMistakes.all(in: fixtures.oauth ?? OpenIDFixtures(), kinds: clientKinds)
            .map { FixtureFinding(.mistake, $0) }
    }

    /// What clients of fixtures can be.
    private static let clientKinds = [
        "web", APIAccess.clientKind, DeviceRegistry.clientKind, Client.registeredKind, Client.lenientKind,
    ]
}
