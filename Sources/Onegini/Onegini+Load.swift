import OpenID
import PlatformKit
package import SQLite

extension Onegini {
    package static func load(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try loadDevices(fixtures, into: db)
    }
}
