import Essentials
import OpenID
import PlatformKit
import SQLite

/// The section `onegini` of a fixture file.
package struct OneginiFixtures: Codable, Sendable {
    /// The authorization server: clients, users, scopes, and what it issued.
    var oauth: OpenIDFixtures?

    // Mobile applications and their devices.
    var applications: [ApplicationSettings]?
    var enrollment: EnrollmentSettings?
    /// The server's OpenPGP keys; without them nobody can enroll for mobile authentication.
    var pgp: ServerKey?
    var devices: [DeviceFixture]?
    var tombstones: [Tombstone]?
    /// Challenges that wait for their response.
    var registrations: [PendingRegistration]?
    /// Identity providers without a browser; `understudy-direct` and `understudy-qr` when left out.
    var customRegistration: [CustomProvider]?
    /// Registrations with them that are between two steps.
    var customTransactions: [CustomTransaction]?
    /// Links from apps to web pages that were not used yet.
    var appLinks: [AppLink]?

    // What the config API manages beyond clients and applications, with the vendor's names.
    /// Each with `scope_id`; names and descriptions for the consent page stand in `oauth.scopes`.
    var scopeSettings: [[String: JSONValue]]?
    /// The service that is asked about scopes with a `service_endpoint`; nobody is without it.
    var scopeVerification: ScopeVerificationSettings?
    var identityProviders: [[String: JSONValue]]?
    var webHooks: [[String: JSONValue]]?
    /// The audit log, oldest first.
    var events: [Event]?

    // Mobile authentication.
    var mobileAuthentication: MobileAuthenticationSettings?
    var transactions: [MobileTransaction]?
    /// Attempts to tell portals of results, oldest first.
    var callbackLog: [CallbackRecord]?

    enum CodingKeys: String, CodingKey {
        case oauth
        case mobileAuthentication = "mobile_authentication"
        case transactions
        case callbackLog = "callback_log"
        case applications, enrollment, pgp, devices, tombstones, registrations
        case customRegistration = "custom_registration"
        case customTransactions = "custom_transactions"
        case scopeSettings = "scope_settings"
        case scopeVerification = "scope_verification"
        case identityProviders = "idps"
        case webHooks = "web_hooks"
        case events
        case appLinks = "app_links"
    }
}

extension OneginiFixtures {
    typealias List = RecordList<OneginiFixtures, FixtureRules>

    /// In the order in which they are loaded.
    static let lists: [List] = [
        .setting("enrollment", \.enrollment, EnrollmentSettings.setting),
        .setting("pgp", \.pgp, ServerKey.setting) { try $0.check() },
        .setting("custom_registration", \.customRegistration, CustomProvider.setting),
        .setting("scope_verification", \.scopeVerification, ScopeVerificationSettings.setting) {
            try FixtureRules.requireURL($0.serviceEndpoint, at: ["service_endpoint"])
        },
        .setting("mobile_authentication", \.mobileAuthentication, MobileAuthenticationSettings.setting) {
            try $0.check()
        },
        .applications, .devices,
        List("tombstones", \.tombstones),
        List("registrations", \.registrations) {
            try $0.add($1.identifier, to: "registration", at: $2 + ["identifier"])
            try FixtureRules.require(
                FixtureRules.counts, $1.wrongResponses, at: $2 + ["wrong_responses"])
        },
        List("custom_transactions", \.customTransactions) {
            try $0.add($1.id, to: "custom transaction", at: $2 + ["id"])
        },
        List("app_links", \.appLinks) {
            try $0.add($1.digest, to: "link", at: $2 + ["digest"])
            try FixtureRules.requireURL($1.target, at: $2 + ["target"])
        },
        .configuration(.scope, "scope_settings", \.scopeSettings, id: "scope_id"),
        .configuration(.identityProvider, "idps", \.identityProviders, id: "id"),
        .configuration(.webHook, "web_hooks", \.webHooks, id: "id"),
        List("events", \.events),
        List("transactions", \.transactions) { try $0.check($1, at: $2) },
        List("callback_log", \.callbackLog) {
            try $0.require($1.transactionID, "transaction", at: $2 + ["transaction_id"])
        },
    ]

    /// The section of the authorization server, with the clients that devices bring themselves.
    func oauthWithDevices() throws -> OpenIDFixtures {
        var oauth = self.oauth ?? OpenIDFixtures()
        let known = Set(oauth.clients?.map(\.id) ?? [])
        let own = try (devices ?? []).filter { !known.contains($0.device.clientID) }.compactMap { fixture in
            try applications?.first { $0.identifier == fixture.device.application }.flatMap {
                try fixture.client(of: $0)
            }
        }
        if !own.isEmpty { oauth.clients = (oauth.clients ?? []) + own }
        return oauth
    }
}

extension OneginiFixtures.List {
    /// A value as a whole.
    ///
    /// - Parameter check: throws ``FixtureProblem`` with a path below the value.
    fileprivate static func setting<Value: Sendable>(
        _ name: String, _ member: any WritableKeyPath<OneginiFixtures, Value?> & Sendable,
        _ setting: Setting<Value>,
        check: @escaping @Sendable (Value) throws -> Void = { _ in }
    ) -> Self {
        Self(
            load: { section, _, db in
                guard let value = section[keyPath: member] else { return }
                do {
                    try check(value)
                } catch let problem as FixtureProblem {
                    throw FixtureProblem(at: [name] + problem.path, problem.reason)
                }
                try setting.set(value, in: db)
            }, export: { section, db in section[keyPath: member] = try setting.value(in: db) })
    }

    fileprivate static let applications = Self(
        load: { section, rules, db in
            for (index, application) in (section.applications ?? []).enumerated() {
                try rules.check(application, at: ["applications", String(index)])
                try db.insert(KeptApplication(application))
            }
        }, export: { section, db in section.applications = try db.applications().listed })

    fileprivate static let devices = Self(
        load: { section, rules, db in
            let clients = Set(try section.oauthWithDevices().clients?.map(\.id) ?? [])
            for (index, device) in (section.devices ?? []).enumerated() {
                try device.load(&rules, clients: clients, at: ["devices", String(index)], into: db)
            }
        },
        export: { section, db in
            section.devices = try db.all(Device.self).map { try DeviceFixture($0, in: db) }.listed
        })

    /// - Parameter id: the member that has the id.
    fileprivate static func configuration(
        _ kind: ConfigurationEntry.Kind, _ name: String,
        _ list: any WritableKeyPath<OneginiFixtures, [[String: JSONValue]]?> & Sendable, id member: String
    ) -> Self {
        Self(
            load: { section, rules, db in
                for (index, settings) in (section[keyPath: list] ?? []).enumerated() {
                    let path = [name, String(index), member]
                    guard let id = settings[member]?.string, !id.isEmpty else {
                        throw FixtureProblem(at: path, "expected the id as a text, found none")
                    }
                    try rules.add(id, to: name, at: path)
                    try db.insert(ConfigurationEntry(kind, id, settings))
                }
            },
            export: { section, db in
                section[keyPath: list] = try db.configurations(kind).map { entry in
                    entry.settings.merging([member: .string(entry.id)]) { _, id in id }
                }.listed
            })
    }
}
