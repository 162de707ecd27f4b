import OpenID
import PlatformKit
package import SQLite

extension MIRACL {
    package static func export(from db: Connection) throws -> MIRACLFixtures {
        var oauth = try AuthorizationServer.export(server: name, from: db)
        oauth.clients = nil
        var fixtures = MIRACLFixtures(projects: try Project.all(in: db), oauth: oauth)
        try state.export(into: &fixtures, from: db)
        return fixtures
    }
}
