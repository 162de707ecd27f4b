import OpenID
import SQLite

extension Onegini {
    static func loadOAuth(_ fixtures: OneginiFixtures, into db: Connection) throws {
        try AuthorizationServer.load(fixtures.oauthWithDevices(), server: name, into: db)
    }

    static func exportOAuth(to fixtures: inout OneginiFixtures, from db: Connection) throws {
        fixtures.oauth = try AuthorizationServer.export(server: name, from: db)
    }
}
