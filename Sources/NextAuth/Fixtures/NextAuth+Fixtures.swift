import Essentials
import PlatformKit
package import SQLite

extension NextAuth {
    /// The time of an entry that says none: 2026-01-01T00:00:00Z.
    static let standardTime = Date(timeIntervalSince1970: 1_767_225_600)

    package static func load(_ fixtures: NextAuthFixtures, into db: Connection) throws {
        var loader = FixtureLoader(db: db)
        try loader.load(fixtures)
    }

    package static func export(from db: Connection) throws -> NextAuthFixtures {
        var fixtures = NextAuthFixtures()
        fixtures.settings = try Settings.kept.value(in: db)
        fixtures.attributes = try ServerStore().globalAttributes(in: db)
        fixtures.servers = try ServerStore().all(in: db).map(ServerFixture.init)
        fixtures.users = try UserStore().all(in: db).map(UserFixture.init)
        fixtures.apiKeys = try RoleStore().keys(in: db).map {
            APIKeyFixture(key: $0.key, role: $0.role, description: $0.description, maker: $0.maker)
        }
        fixtures.grants = try RoleStore().grants(in: db).map {
            GrantFixture(role: $0.role, server: $0.server, permissions: $0.permissions)
        }
        fixtures.instances = try InstanceStore().all(in: db).map(InstanceFixture.init)
        fixtures.accounts = try AccountStore().all(in: db).map(AccountFixture.init)
        fixtures.lastAccountID = try AccountStore().lastID(in: db)
        try exportState(to: &fixtures, from: db)
        return fixtures
    }

    private static func exportState(to fixtures: inout NextAuthFixtures, from db: Connection) throws {
        fixtures.webSessions = try WebSessionStore().all(in: db)
        fixtures.transactions = try TransactionStore().all(in: db)
        fixtures.codes = try db.all(Code.self)
        fixtures.flows = try db.all(Flow.self)
        fixtures.deviceSessions = try DeviceSessionStore().all(in: db)
        fixtures.events = try EventStore().all(in: db)
        fixtures.messages = try MessageStore().all(in: db)
    }
}
