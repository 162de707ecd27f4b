import Essentials
import PlatformKit
package import SQLite

/// The section `powerauth` of a fixture file.
package struct PowerAuthFixtures: Codable, Sendable {
    var settings: Settings?
}

extension PowerAuth {
    package static func load(_ fixtures: PowerAuthFixtures, into db: Connection) throws {}

    package static func export(from db: Connection) throws -> PowerAuthFixtures { PowerAuthFixtures() }
}
