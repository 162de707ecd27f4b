import Essentials
import PlatformKit
import SQLite

/// Writes a section, entry by entry, and remembers what later entries may refer to.
struct FixtureLoader {
    let db: Connection
    private var servers: Set<String> = []
    private var instances: Set<String> = []
    private var roles: Set<String> = []

    init(db: Connection) { self.db = db }

    mutating func load(_ fixtures: NextAuthFixtures) throws {
        if let settings = fixtures.settings { try load(settings) }
        if let attributes = fixtures.attributes {
            try ServerStore().setGlobalAttributes(attributes, in: db)
        }
        try load(fixtures.servers ?? [])
        try load(fixtures.users ?? [])
        try load(fixtures.apiKeys ?? [], fixtures.grants ?? [])
        try load(fixtures.instances ?? [])
        try load(fixtures.accounts ?? [], last: fixtures.lastAccountID)
        try loadState(fixtures)
    }

    private func load(_ settings: Settings) throws {
        for (name, value, range) in [
            ("pin_tries", settings.pinTries, 1...1000), ("flow_seconds", settings.flowSeconds, 1...86_400),
            ("code_seconds", settings.codeSeconds, 1...31_536_000),
            ("message_seconds", settings.messageSeconds, 1...31_536_000),
        ] {
            if let value { try FixtureRules.require(range, value, at: ["settings", name]) }
        }
        try Settings.kept.set(settings, in: db)
    }

    private mutating func load(_ fixtures: [ServerFixture]) throws {
        for (index, fixture) in fixtures.enumerated() {
            let path = ["servers", String(index)]
            try FixtureRules.requireUnique(fixture.id, in: &servers, at: path + ["id"])
            try ServerStore().insert(fixture.server(at: path), in: db)
        }
    }

    private mutating func load(_ fixtures: [UserFixture]) throws {
        var seen: Set<String> = []
        for (index, fixture) in fixtures.enumerated() {
            let path = ["users", String(index)]
            try FixtureRules.requireLength(fixture.id, at: path + ["id"])
            try FixtureRules.requireKnown(fixture.server, in: servers, "server", at: path + ["server"])
            try FixtureRules.requireUnique(
                "\(fixture.server) \(fixture.id)", in: &seen, at: path + ["id"])
            try db.insert(fixture.user)
            if let role = fixture.role { roles.insert(role) }
        }
    }

    private mutating func load(_ keys: [APIKeyFixture], _ grants: [GrantFixture]) throws {
        var seen: Set<String> = []
        for (index, key) in keys.enumerated() {
            try FixtureRules.requireUnique(key.key, in: &seen, at: ["api_keys", String(index), "key"])
            roles.insert(key.role)
            try db.insert(
                APIKey(key: key.key, role: key.role, description: key.description ?? "", maker: key.maker))
        }
        seen = []
        for (index, grant) in grants.enumerated() {
            let path = ["grants", String(index)]
            try FixtureRules.requireKnown(grant.role, in: roles, "role", at: path + ["role"])
            try FixtureRules.requireUnique(
                "\(grant.role) \(grant.server ?? "")", in: &seen, at: path + ["role"])
            if let server = grant.server {
                try FixtureRules.requireKnown(server, in: servers, "server", at: path + ["server"])
            }
            try RoleStore().set(
                Grant(role: grant.role, server: grant.server, permissions: grant.permissions), in: db)
        }
    }

    private mutating func load(_ fixtures: [InstanceFixture]) throws {
        var digests: Set<String> = []
        for (index, fixture) in fixtures.enumerated() {
            let path = ["instances", String(index)]
            try FixtureRules.requireUnique(fixture.id, in: &instances, at: path + ["id"])
            let instance = try fixture.instance(at: path)
            try FixtureRules.requireUnique(
                instance.tokenDigest, in: &digests,
                at: path + [fixture.token == nil ? "token_digest" : "token"])
            try InstanceStore().insert(instance, in: db)
        }
    }

    private func load(_ fixtures: [AccountFixture], last: Int?) throws {
        var seen: Set<String> = []
        for (index, fixture) in fixtures.enumerated() {
            let path = ["accounts", String(index)]
            try FixtureRules.requireUnique(String(fixture.id), in: &seen, at: path + ["id"])
            try FixtureRules.requireKnown(fixture.server, in: servers, "server", at: path + ["server"])
            try FixtureRules.requireKnown(
                fixture.instance, in: instances, "instance", at: path + ["instance"])
            if let user = fixture.user, try UserStore().find(user, of: fixture.server, in: db) == nil {
                throw FixtureProblem(
                    at: path + ["user"], "the server has no user \"\(user.prefix(60))\"")
            }
            try db.insert(fixture.account(at: path))
        }
        if let last {
            try FixtureRules.require(0...1_000_000_000, last, at: ["last_account_id"])
            try AccountStore().spendIDs(upTo: last, in: db)
        }
    }
}

// MARK: - What runs

extension FixtureLoader {
    private func loadState(_ fixtures: NextAuthFixtures) throws {
        for (path, entry) in numbered(fixtures.webSessions, "web_sessions") {
            try require(server: entry.server, at: path)
            try unlessTaken("hsid", at: path) {
                try WebSessionStore().find(entry.hsid, of: entry.server, in: db) != nil
            }
            try WebSessionStore().save(entry, in: db)
        }
        for (path, entry) in numbered(fixtures.transactions, "transactions") {
            try require(server: entry.server, at: path)
            try unlessTaken("id", at: path) { try TransactionStore().find(entry.id, in: db) != nil }
            try db.insert(entry)
        }
        for (path, entry) in numbered(fixtures.codes, "codes") {
            try require(server: entry.server, at: path)
            try unlessTaken("ticket", at: path) { try CodeStore().find(entry.ticket, in: db) != nil }
            try db.insert(entry)
        }
        try loadDeviceState(fixtures)
    }

    private func loadDeviceState(_ fixtures: NextAuthFixtures) throws {
        for (path, entry) in numbered(fixtures.flows, "flows") {
            try require(server: entry.server, instance: entry.instance, at: path)
            try unlessTaken("id", at: path) {
                try FlowStore().find(entry.id, of: entry.instance, in: db) != nil
            }
            try db.insert(entry)
        }
        for (path, entry) in numbered(fixtures.deviceSessions, "device_sessions") {
            try require(server: entry.server, at: path)
            try unlessTaken("id", at: path) { try DeviceSessionStore().find(entry.id, in: db) != nil }
            try DeviceSessionStore().insert(entry, in: db)
        }
        var numbers: Set<String> = []
        for (path, entry) in numbered(fixtures.events, "events") {
            try require(instance: entry.instance, at: path)
            try FixtureRules.requireUnique(
                "\(entry.instance) \(entry.number)", in: &numbers, at: path + ["number"])
            try EventStore().insert(entry, in: db)
        }
        for (path, entry) in numbered(fixtures.messages, "messages") {
            try require(server: entry.server, instance: entry.instance, at: path)
            try unlessTaken("id", at: path) {
                try MessageStore().find(entry.id, of: entry.instance, in: db) != nil
            }
            try db.insert(entry)
        }
    }

    private func numbered<Entry>(_ entries: [Entry]?, _ name: String) -> [([String], Entry)] {
        (entries ?? []).enumerated().map { ([name, String($0.offset)], $0.element) }
    }

    private func require(server: String? = nil, instance: String? = nil, at path: [String]) throws {
        if let server {
            try FixtureRules.requireKnown(server, in: servers, "server", at: path + ["server"])
        }
        if let instance {
            try FixtureRules.requireKnown(instance, in: instances, "instance", at: path + ["instance"])
        }
    }

    private func unlessTaken(_ member: String, at path: [String], _ isTaken: () throws -> Bool) throws {
        if try isTaken() { throw FixtureProblem(at: path + [member], "it stands here twice") }
    }
}
