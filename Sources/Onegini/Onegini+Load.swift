import OpenID
package import PlatformKit
package import SQLite

extension Onegini {
    package static func load(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try loadOAuth(fixtures, into: db)
        try loadDevices(fixtures, into: db)
        try loadManagement(fixtures, into: db)
        try loadMobileAuthentication(fixtures, into: db)
    }

    package static func mistakes(in fixtures: OneginiFixtures) -> [FixtureProblem] {
        FixtureMistakes.all(in: fixtures.oauth ?? OpenIDFixtures(), kinds: clientKinds)
    }

    /// What clients of fixtures can be.
    private static let clientKinds = [
        "web", apiClientKind, DeviceRegistry.clientKind, Client.registeredKind, Client.lenientKind,
    ]
}
