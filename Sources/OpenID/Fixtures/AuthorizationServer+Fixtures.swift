import PlatformKit
package import SQLite

extension AuthorizationServer {
    /// Writes fixtures into a database that has nothing of this server yet.
    ///
    /// - Parameters:
    ///   - server: the name of the platform that mounts it.
    ///   - path: where the fixtures stand in the platform's section.
    /// - Throws: ``FixtureProblem``.
    package static func load(
        _ fixtures: OpenIDFixtures, server: String, at path: [String] = ["oauth"], into db: Connection
    ) throws {
        var writer = FixtureWriter(server: server, db: db)
        do {
            try writer.write(fixtures)
        } catch let problem as FixtureProblem {
            throw FixtureProblem(at: path + problem.path, problem.reason)
        }
    }

    /// Replaces the redirect URIs of a client, after the checks that a fixture file goes through. Nothing happens where there is no such
    /// client.
    ///
    /// - Throws: ``FixtureProblem``.
    package static func change(
        redirectURIs: [String], of clientID: String, server: String, in db: Connection
    ) throws {
        let clients = ClientStore(server: server)
        guard var client = try clients.find(clientID, in: db) else { return }
        client.metadata.redirectURIs = redirectURIs
        do {
            try ClientFixtureRules.check(client)
        } catch let fault as MetadataFault {
            throw FixtureProblem(at: [fault.member], fault.reason)
        }
        try clients.update(client, in: db)
    }

    /// The present state as fixtures that ``load(_:server:at:into:)`` turns into the same state again. Conversations with browsers
    /// that are under way are left out.
    package static func export(server: String, from db: Connection) throws -> OpenIDFixtures {
        var fixtures = OpenIDFixtures()
        fixtures.settings = try ServerSettingsStore(server: server).stored(in: db)
        fixtures.pages = try BrowserSettingsStore(server: server).stored(in: db)
        fixtures.scopes = try ScopeStore(server: server).all(in: db).listed
        fixtures.users = try UserStore(server: server).all(in: db).map(UserFixture.init).listed
        fixtures.clients = try ClientStore(server: server).all(in: db).map(ClientFixture.init).listed
        try FixtureReader(server: server, db: db).readState(into: &fixtures)
        return fixtures
    }
}
