import Crypto
import Essentials
import PlatformKit
import SQLite

/// Settings, applications and system users.
extension PowerAuth {
    static func loadBackOffice(_ fixtures: PowerAuthFixtures, into db: Connection) throws {
        if let settings = fixtures.settings {
            try check(settings)
            try Settings.kept.set(settings, in: db)
        }
        var ids: Set<String> = []
        var keys: Set<String> = []
        for (index, application) in (fixtures.applications ?? []).enumerated() {
            let path = ["applications", String(index)]
            try FixtureRules.requireUnique(application.id, in: &ids, at: path + ["id"])
            try load(application, keys: &keys, at: path, into: db)
        }
        var names: Set<String> = []
        for (index, user) in (fixtures.users ?? []).enumerated() {
            let path = ["users", String(index)]
            try FixtureRules.requireUnique(user.username, in: &names, at: path + ["username"])
            try load(user, applications: ids, at: path, into: db)
        }
    }

    private static func check(_ settings: Settings) throws {
        let day = 86_400
        let limits: [(String, Int, ClosedRange<Int>)] = [
            ("activation_seconds", settings.activationSeconds, 1...30 * day),
            ("max_failed_attempts", settings.maxFailedAttempts, 1...64),
            ("max_otp_attempts", settings.maxOTPAttempts, 1...64),
            ("look_ahead", settings.lookAhead, 1...64),
            ("encrypted_request_seconds", settings.encryptedRequestSeconds, 1...day),
            ("token_seconds", settings.tokenSeconds, 1...30 * day),
            ("token_ahead_seconds", settings.tokenAheadSeconds, 0...30 * day),
            ("temporary_key_seconds", settings.temporaryKeySeconds, 1...30 * day),
            ("offline_component_length", settings.offlineComponentLength, 4...8),
            ("max_recovery_attempts", settings.maxRecoveryAttempts, 1...64),
            ("proximity_steps_back", settings.proximityStepsBack, 0...20),
            ("error_generation", settings.errorGeneration, 1...2),
        ]
        for (name, value, range) in limits {
            try FixtureRules.require(range, value, at: ["settings", name])
        }
        guard ["milliseconds", "iso8601"].contains(settings.callbackTimes) else {
            throw FixtureProblem(
                at: ["settings", "callback_times"],
                "expected milliseconds or iso8601, found \"\(settings.callbackTimes.prefix(60))\"")
        }
    }

    private static func load(
        _ fixture: ApplicationFixture, keys: inout Set<String>, at path: [String], into db: Connection
    ) throws {
        guard FixtureRules.isApplicationID(fixture.id) else {
            throw FixtureProblem(
                at: path + ["id"],
                "expected 3 to 255 letters, digits, _ and - of ASCII, found \"\(fixture.id.prefix(60))\"")
        }
        let pem = fixture.masterKey.joined(separator: "\n") + "\n"
        try checkMasterKey(pem, at: path + ["master_key"])
        try checkProviders(fixture, at: path)
        try ApplicationStore().insert(
            Application(
                id: fixture.id, roles: fixture.roles ?? [], masterKey: pem,
                offersRecovery: fixture.offersRecovery ?? false,
                providers: try OpenIDProviders(fixture.providers ?? [])), in: db)
        try loadVersions(of: fixture, keys: &keys, at: path, into: db)
        try loadConfiguration(of: fixture, at: path, into: db)
    }

    private static func checkProviders(_ fixture: ApplicationFixture, at path: [String]) throws {
        var providers: Set<String> = []
        for (index, provider) in (fixture.providers ?? []).enumerated() {
            try FixtureRules.requireUnique(
                provider.providerId, in: &providers,
                at: path + ["oauth2_providers", String(index), "providerId"])
        }
    }

    private static func loadVersions(
        of fixture: ApplicationFixture, keys: inout Set<String>, at path: [String], into db: Connection
    ) throws {
        var names: Set<String> = []
        for (index, version) in fixture.versions.enumerated() {
            let path = path + ["versions", String(index)]
            try FixtureRules.requireName(version.name, at: path + ["name"])
            try FixtureRules.requireUnique(version.name, in: &names, at: path + ["name"])
            try FixtureRules.requireBase64(version.key, [16], at: path + ["app_key"])
            try FixtureRules.requireUnique(version.key, in: &keys, at: path + ["app_key"])
            try FixtureRules.requireBase64(version.secret, [16], at: path + ["app_secret"])
            try ApplicationStore().insert(
                ApplicationVersion(
                    application: fixture.id, name: version.name, key: version.key, secret: version.secret,
                    isSupported: version.isSupported ?? true), in: db)
        }
    }

    private static func loadConfiguration(
        of fixture: ApplicationFixture, at path: [String], into db: Connection
    ) throws {
        let configuration = ConfigurationStore()
        for (key, values) in fixture.configuration ?? [:] {
            try configuration.set(.settings, key, of: fixture.id, .array(values), in: db)
        }
        if let recovery = fixture.recovery {
            do {
                _ = try recovery.agreedSecret()
            } catch let fault as ProtocolFault {
                throw FixtureProblem(at: path + ["recovery", "printer_key"], "\(fault)")
            }
            try recovery.store(for: fixture.id, in: db)
        }
        for (service, settings) in fixture.push ?? [:] {
            guard PushDevice.Service(rawValue: service) != nil else {
                throw FixtureProblem(
                    at: path + ["push", service], "expected one of apns, fcm, hms, found \"\(service)\"")
            }
            try configuration.set(.push, service, of: fixture.id, .object(settings), in: db)
        }
    }

    private static func checkMasterKey(_ pem: String, at path: [String]) throws {
        do {
            let kind = try PrivateKey(pem: pem).kind
            guard kind == .ec(.p256) else {
                throw FixtureProblem(at: path, "expected a key on P-256, found one of \(kind)")
            }
        } catch let error as CryptoError {
            throw FixtureProblem(at: path, "expected a private key in PEM: \(error)")
        }
    }

    private static func load(
        _ fixture: SystemUserFixture, applications: Set<String>, at path: [String], into db: Connection
    ) throws {
        try FixtureRules.requireName(fixture.username, at: path + ["username"])
        guard !fixture.username.contains(":") else {
            // RFC 7617 §2
            throw FixtureProblem(at: path + ["username"], "expected a name without a colon")
        }
        try FixtureRules.requireName(fixture.password, at: path + ["password"])
        var seen: Set<String> = []
        for (index, id) in (fixture.applications ?? []).enumerated() {
            let path = path + ["applications", String(index)]
            guard applications.contains(id) else {
                throw FixtureProblem(at: path, "there is no application \"\(id.prefix(60))\"")
            }
            try FixtureRules.requireUnique(id, in: &seen, at: path)
        }
        try SystemUserStore().insert(
            SystemUser(
                name: fixture.username, password: fixture.password, roles: fixture.roles ?? [.user],
                applications: fixture.applications ?? [], isEnabled: fixture.isEnabled ?? true), in: db)
    }

    static func exportBackOffice(to fixtures: inout PowerAuthFixtures, from db: Connection) throws {
        fixtures.settings = try Settings.kept.value(in: db)
        let (store, configuration) = (ApplicationStore(), ConfigurationStore())
        fixtures.applications = try store.all(in: db).map { application in
            let settings = try configuration.all(.settings, of: application.id, in: db)
            let push = try configuration.all(.push, of: application.id, in: db)
            return ApplicationFixture(
                id: application.id, roles: application.roles,
                masterKey: application.masterKey.split(separator: "\n").map(String.init),
                offersRecovery: application.offersRecovery,
                recovery: try RecoverySettings.find(application.id, in: db),
                versions: try store.versions(of: application.id, in: db).map {
                    ApplicationVersionFixture(
                        name: $0.name, key: $0.key, secret: $0.secret, isSupported: $0.isSupported)
                },
                providers: try application.providers.list(),
                configuration: settings.isEmpty ? nil : settings.compactMapValues(\.array),
                push: push.isEmpty ? nil : push.compactMapValues(\.object))
        }
        fixtures.users = try SystemUserStore().all(in: db).map { user in
            SystemUserFixture(
                username: user.name, password: user.password, roles: user.roles,
                applications: user.applications, isEnabled: user.isEnabled)
        }
    }
}
