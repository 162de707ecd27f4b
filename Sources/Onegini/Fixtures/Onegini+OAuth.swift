import OpenID
import PlatformKit
import SQLite

extension Onegini {
    static func loadOAuth(_ fixtures: OneginiFixtures, into db: Connection) throws {
        do {
            try AuthorizationServer.load(fixtures.oauthWithDevices(), server: name, into: db)
        } catch let problem as FixtureProblem {
            throw FixtureProblem(at: ["oauth"] + problem.path, problem.reason)
        }
    }

    static func exportOAuth(to fixtures: inout OneginiFixtures, from db: Connection) throws {
        fixtures.oauth = try AuthorizationServer.export(server: name, from: db)
    }
}
