import Essentials
import PlatformKit
package import SQLite

/// The section `powerauth` of a fixture file.
package struct PowerAuthFixtures: Codable, Sendable {
    var settings: Settings?
    var applications: [ApplicationFixture]?
    /// Accounts of back ends and administrators.
    var users: [SystemUserFixture]?

    enum CodingKeys: String, CodingKey {
        case settings, applications, users
    }
}

extension PowerAuth {
    package static func load(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        try loadBackOffice(fixtures, into: db)
    }

    package static func export(from db: Connection) throws -> PowerAuthFixtures {
        var fixtures = PowerAuthFixtures()
        try exportBackOffice(to: &fixtures, from: db)
        return fixtures
    }
}
