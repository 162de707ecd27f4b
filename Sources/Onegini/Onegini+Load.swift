import OpenID
import PlatformKit
package import SQLite

extension Onegini {
    package static func load(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try loadOAuth(fixtures, into: db)
        try loadDevices(fixtures, into: db)
        try loadManagement(fixtures, into: db)
        try loadMobileAuthentication(fixtures, into: db)
    }
}
