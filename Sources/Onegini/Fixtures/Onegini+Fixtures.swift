import Essentials
import OpenID
package import PlatformKit
package import SQLite

extension Onegini {
    package static func load(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try AuthorizationServer.load(fixtures.oauthWithDevices(), server: name, into: db)
        var rules = FixtureRules()
        for list in OneginiFixtures.lists { try list.load(fixtures, &rules, db) }
    }

    package static func export(from db: Connection) throws -> OneginiFixtures {
        var fixtures = OneginiFixtures()
        fixtures.oauth = try AuthorizationServer.export(server: name, from: db)
        for list in OneginiFixtures.lists { try list.export(&fixtures, db) }
        return fixtures
    }

    package static func mistakes(in fixtures: OneginiFixtures) -> [FixtureProblem] {
        FixtureMistakes.all(in: fixtures.oauth ?? OpenIDFixtures(), kinds: clientKinds)
    }

    /// What clients of fixtures can be.
    private static let clientKinds = [
        "web", APIAccess.clientKind, DeviceRegistry.clientKind, Client.registeredKind, Client.lenientKind,
    ]
}
