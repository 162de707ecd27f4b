import Essentials
import PlatformKit
import SQLite

extension Onegini {
    /// What the config API keeps, and the events.
    static func loadManagement(_ fixtures: OneginiFixtures, into db: Connection) throws {
        let store = ConfigurationStore()
        for (kind, member, key, list) in [
            (ConfigurationStore.Kind.scope, "scope_settings", "scope_id", fixtures.scopeSettings),
            (.identityProvider, "idps", "id", fixtures.identityProviders),
            (.webHook, "web_hooks", "id", fixtures.webHooks),
        ] {
            for (index, settings) in (list ?? []).enumerated() {
                let path = [member, String(index), key]
                guard let id = settings[key]?.string, !id.isEmpty else {
                    throw FixtureProblem(at: path, "expected the id as a text, found none")
                }
                guard try store.find(kind, id, in: db) == nil else {
                    throw FixtureProblem(at: path, "the id \"\(id)\" is there twice")
                }
                try store.insert(.init(id: id, settings: settings), as: kind, in: db)
            }
        }
        if let verification = fixtures.scopeVerification {
            let name = ScopeVerificationSettings.name
            try FixtureRules.requireURL(verification.serviceEndpoint, at: [name, "service_endpoint"])
            try ScopeVerificationSettings.setting.set(verification, in: db)
        }
        for event in fixtures.events ?? [] { try db.insert(event) }
    }

    static func exportManagement(to fixtures: inout OneginiFixtures, from db: Connection) throws {
        let store = ConfigurationStore()
        fixtures.scopeSettings = try store.all(.scope, in: db).map { entry in
            entry.settings.merging(["scope_id": .string(entry.id)]) { _, id in id }
        }
        fixtures.scopeVerification = try ScopeVerificationSettings.setting.value(in: db)
        fixtures.identityProviders = try store.all(.identityProvider, in: db).map(\.settings)
        fixtures.webHooks = try store.all(.webHook, in: db).map(\.settings)
        fixtures.events = try db.all(Event.self)
    }
}
