import OpenID
import PlatformKit
package import SQLite

extension Onegini {
    package static func export(from db: Connection) throws -> OneginiFixtures {
        var fixtures = OneginiFixtures()
        try exportOAuth(to: &fixtures, from: db)
        try exportDevices(to: &fixtures, from: db)
        try exportManagement(to: &fixtures, from: db)
        try exportMobileAuthentication(to: &fixtures, from: db)
        return fixtures
    }
}
