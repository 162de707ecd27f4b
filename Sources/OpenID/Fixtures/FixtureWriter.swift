import Essentials
import PlatformKit
import SQLite

/// Writes the entries of the fixtures one by one, and refuses what the shapes cannot say.
struct FixtureWriter {
    let server: String
    let db: Connection
    /// What is there so far, by the kind of name.
    private var names: [String: Set<String>] = [:]

    init(server: String, db: Connection) { (self.server, self.db) = (server, db) }

    mutating func write(_ fixtures: OpenIDFixtures) throws {
        if let settings = fixtures.settings { try write(settings) }
        if let pages = fixtures.pages {
            guard ClientFixtureRules.seconds.contains(pages.sessionSeconds) else {
                throw FixtureProblem(
                    at: ["pages", "session_lifetime"],
                    "expected a number from \(ClientFixtureRules.seconds.lowerBound) to "
                        + "\(ClientFixtureRules.seconds.upperBound), found \(pages.sessionSeconds)")
            }
            try BrowserSettingsStore(server: server).replace(with: pages, in: db)
        }
        for (index, scope) in (fixtures.scopes ?? []).enumerated() {
            try write(scope, at: ["scopes", String(index)])
        }
        for (index, user) in (fixtures.users ?? []).enumerated() {
            try write(user.user, at: ["users", String(index)])
        }
        for (index, client) in (fixtures.clients ?? []).enumerated() {
            try write(client.client, at: ["clients", String(index)])
        }
        try writeState(fixtures)
    }

    private func write(_ settings: ServerSettings) throws {
        try check(settings)
        do {
            try settings.claimsByScope?.check()
        } catch let fault as MetadataFault {
            throw FixtureProblem(at: ["settings", fault.member], fault.reason)
        }
        try ServerSettingsStore(server: server).insert(settings, in: db)
    }

    /// Source: OpenID Connect Discovery 1.0 §3, for the issuer; without a slash at its end, because paths are put behind it.
    private func check(_ settings: ServerSettings) throws {
        let path = ["settings", "issuer"]
        guard let issuer = settings.issuer else {
            guard settings.fixedBackChannel == nil else {
                throw FixtureProblem(
                    at: ["settings", "fixed_back_channel"], "it is about the issuer; give that too")
            }
            return
        }
        do {
            try ClientURI(issuer, of: "issuer").checkWeb()
        } catch let fault as MetadataFault {
            throw FixtureProblem(at: path, fault.reason)
        }
        if issuer.hasSuffix("/") || issuer.contains("?") {
            throw FixtureProblem(
                at: path,
                "expected a URL without query and final slash, such as \"https://login.example.com/oauth\"")
        }
    }

    private mutating func write(_ scope: Scope, at path: [String]) throws {
        try take(scope.name, as: "scope", at: path + ["name"])
        try ScopeStore(server: server).insert(scope, in: db)
    }

    private mutating func write(_ user: User, at path: [String]) throws {
        if let fault = user.fault { throw FixtureProblem(at: path + ["sub"], fault) }
        try take(user.subject, as: "subject", at: path + ["sub"])
        try take(user.username, as: "user name", at: path + ["username"])
        try UserStore(server: server).insert(user, in: db)
    }

    private mutating func write(_ client: Client, at path: [String]) throws {
        try take(client.id, as: "client id", at: path + ["client_id"])
        do {
            try ClientFixtureRules.check(client)
        } catch let fault as MetadataFault {
            throw FixtureProblem(at: path + [fault.member], fault.reason)
        }
        try ClientStore(server: server).insert(client, in: db)
    }

    /// Notes a name that may stand here once only.
    mutating func take(_ name: String, as kind: String, at path: [String]) throws {
        guard names[kind, default: []].insert(name).inserted else {
            throw FixtureProblem(at: path, "the \(kind) \"\(name)\" stands here twice")
        }
    }

    /// Demands that a name was written before.
    func require(_ name: String, as kind: String, at path: [String]) throws {
        guard names[kind]?.contains(name) == true else {
            throw FixtureProblem(at: path, "there is no \(kind) \"\(name)\"")
        }
    }
}
