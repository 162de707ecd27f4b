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
        var rules = OpenIDRules()
        do {
            if let settings = fixtures.settings { try rules.check(settings) }
            if let pages = fixtures.pages { try rules.check(pages) }
            try ServerSettings.setting(of: server).set(fixtures.settings, in: db)
            try BrowserSettings.setting(of: server).set(fixtures.pages, in: db)
            for list in lists(of: server) { try list.load(fixtures, &rules, db) }
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
        let clients = ServerRecords<Client>(server: server)
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
        fixtures.settings = try ServerSettings.setting(of: server).value(in: db)
        fixtures.pages = try BrowserSettings.setting(of: server).value(in: db)
        for list in lists(of: server) { try list.export(&fixtures, db) }
        return fixtures
    }

    /// The lists in the order in which they are loaded. What happened since the fixtures were loaded stands behind clients and users,
    /// which may be gone.
    private static func lists(of server: String) -> [RecordList<OpenIDFixtures, OpenIDRules>] {
        [
            RecordList("scopes", \.scopes, of: server) {
                try $0.take($1.name, as: "scope", at: $2 + ["name"])
            },
            RecordList("users", \.users, of: server, { $0.user }, UserFixture.init) {
                try $0.check($1, at: $2)
            },
            RecordList("clients", \.clients, of: server, { $0.client }, ClientFixture.init) {
                try $0.check($1, at: $2)
            },
            RecordList("grants", \.grants, of: server) { try $0.take($1.id, as: "grant", at: $2 + ["id"]) },
            RecordList("codes", \.codes, of: server) {
                try $0.take($1.digest, as: "code", at: $2)
                try $0.requireGrant($1.grantID, at: $2)
            },
            RecordList("access_tokens", \.accessTokens, of: server) { try $0.check($1, at: $2) },
            RecordList("refresh_tokens", \.refreshTokens, of: server) {
                try $0.take($1.digest, as: "refresh token", at: $2)
                try $0.take($1.id, as: "refresh token", at: $2 + ["id"])
                try $0.requireGrant($1.grantID, at: $2)
            },
            RecordList("sessions", \.sessions, of: server) {
                try $0.take($1.id, as: "session", at: $2 + ["sid"])
                try $0.take($1.digest, as: "session", at: $2)
            },
            RecordList("consents", \.consents, of: server) {
                try $0.take($1.id, as: "consent", at: $2 + ["id"])
                try $0.take($1.subject + " " + $1.clientID, as: "consent of", at: $2 + ["client_id"])
            },
            RecordList("pushed_requests", \.pushedRequests, of: server) {
                try $0.take($1.digest, as: "request", at: $2)
            },
            RecordList("device_requests", \.deviceRequests, of: server) { try $0.check($1, at: $2) },
            RecordList("assertions", \.assertions, of: server) {
                try $0.take($1.clientID + " " + $1.id, as: "assertion", at: $2 + ["jti"])
            },
        ]
    }
}

extension RecordList {
    /// A list whose entries are the rows of one server.
    fileprivate init<R: Record>(
        _ name: String, _ list: any WritableKeyPath<Fixtures, [R]?> & Sendable, of server: String,
        check: @escaping @Sendable (inout Rules, R, [String]) throws -> Void
    ) {
        self.init(name, list, of: server, { $0 }, { $0 }, check: check)
    }

    /// - Parameters:
    ///   - record: the row of an entry, which people write in another shape.
    ///   - entry: the same the other way round.
    fileprivate init<Entry, R: Record>(
        _ name: String, _ list: any WritableKeyPath<Fixtures, [Entry]?> & Sendable, of server: String,
        _ record: @escaping @Sendable (Entry) -> R, _ entry: @escaping @Sendable (R) -> Entry,
        check: @escaping @Sendable (inout Rules, R, [String]) throws -> Void
    ) {
        let records = ServerRecords<R>(server: server)
        self.init(
            load: { section, rules, db in
                for (index, entry) in (section[keyPath: list] ?? []).enumerated() {
                    let record = record(entry)
                    try check(&rules, record, [name, String(index)])
                    try records.insert(record, in: db)
                }
            },
            export: { section, db in section[keyPath: list] = try records.all(in: db).map(entry).listed })
    }
}

extension Array {
    /// Nil for none, so that an export says nothing of what is not there.
    package var listed: [Element]? { isEmpty ? nil : self }
}
