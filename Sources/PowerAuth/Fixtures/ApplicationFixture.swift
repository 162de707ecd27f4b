import Crypto
import Essentials
import PlatformKit
import SQLite

/// An application with all that belongs to it, as people write it in a fixture file.
struct ApplicationFixture: Codable, Sendable {
    /// 3 to 255 letters, digits, `_` and `-`.
    var id: String
    /// Told with every verification, in this order.
    var roles: [String]?
    /// Master private key in PEM, P-256, line by line.
    var masterKey: [String]
    /// False when left out.
    var offersRecovery: Bool?
    /// How recovery codes come on printed cards.
    var recovery: RecoverySettings?
    var versions: [Version]
    /// With the vendor's names.
    var providers: [OpenIDProvider]?
    /// By the keys of the management API, such as `fido2_aaguids_allowed`, lists of values.
    var configuration: [String: [JSONValue]]?
    /// By `apns`, `fcm` and `hms`, as they came; nothing is ever sent there.
    var push: [String: [String: JSONValue]]?

    enum CodingKeys: String, CodingKey {
        case id, roles, recovery, versions, configuration, push
        case masterKey = "master_key"
        case offersRecovery = "offers_recovery"
        case providers = "oauth2_providers"
    }

    struct Version: Codable, Sendable {
        var name: String
        /// Base64 of 16 bytes.
        var key: String
        /// Base64 of 16 bytes.
        var secret: String
        /// True when left out.
        var isSupported: Bool?

        enum CodingKeys: String, CodingKey {
            case name
            case key = "app_key"
            case secret = "app_secret"
            case isSupported = "is_supported"
        }
    }
}

// MARK: - Export

extension ApplicationFixture {
    init(_ application: Application, in db: Connection) throws {
        let settings = try Configuration.all(.settings, of: application.id, in: db)
        let push = try Configuration.all(.push, of: application.id, in: db)
        self.init(
            id: application.id, roles: application.roles,
            masterKey: application.masterKey.split(separator: "\n").map(String.init),
            offersRecovery: application.offersRecovery,
            recovery: try RecoverySettings.find(application.id, in: db),
            versions: try application.versions(in: db).map {
                Version(name: $0.name, key: $0.key, secret: $0.secret, isSupported: $0.isSupported)
            },
            providers: try application.providers.list(),
            configuration: settings.isEmpty ? nil : settings.compactMapValues(\.array),
            push: push.isEmpty ? nil : push.compactMapValues(\.object))
    }
}

// MARK: - Load

extension ApplicationFixture {
    func load(_ rules: inout StateRules, at path: [String], into db: Connection) throws {
        try rules.requireNew(id, "id", "application", at: path)
        rules.note(application: id)
        guard FixtureRules.isApplicationID(id) else {
            throw FixtureProblem(
                at: path + ["id"],
                "expected 3 to 255 letters, digits, _ and - of ASCII, found “\(id.prefix(60))”")
        }
        let pem = masterKey.joined(separator: "\n") + "\n"
        try checkMasterKey(pem, at: path + ["master_key"])
        try checkProviders(at: path)
        try db.insert(
            Application(
                id: id, roles: roles ?? [], masterKey: pem, offersRecovery: offersRecovery ?? false,
                providers: try OpenIDProviders(providers ?? [])))
        try loadVersions(&rules, at: path, into: db)
        try loadConfiguration(at: path, into: db)
    }

    private func checkMasterKey(_ pem: String, at path: [String]) throws {
        do {
            let kind = try PrivateKey(pem: pem).kind
            guard kind == .ec(.p256) else {
                throw FixtureProblem(at: path, "expected a key on P-256, found one of \(kind)")
            }
        } catch let error as CryptoError {
            throw FixtureProblem(at: path, "expected a private key in PEM: \(error)")
        }
    }

    private func checkProviders(at path: [String]) throws {
        var own = FixtureRules()
        for (index, provider) in (providers ?? []).enumerated() {
            try own.add(
                provider.providerId, to: "provider",
                at: path + ["oauth2_providers", String(index), "providerId"])
        }
    }

    private func loadVersions(_ rules: inout StateRules, at path: [String], into db: Connection) throws {
        var own = FixtureRules()
        for (index, version) in versions.enumerated() {
            let path = path + ["versions", String(index)]
            try FixtureRules.requireName(version.name, at: path + ["name"])
            try own.add(version.name, to: "version", at: path + ["name"])
            try FixtureRules.requireBase64(version.key, [16], at: path + ["app_key"])
            try rules.requireNew(version.key, "app_key", "version", at: path)
            try FixtureRules.requireBase64(version.secret, [16], at: path + ["app_secret"])
            try db.insert(
                ApplicationVersion(
                    application: id, name: version.name, key: version.key, secret: version.secret,
                    isSupported: version.isSupported ?? true))
        }
    }

    private func loadConfiguration(at path: [String], into db: Connection) throws {
        for (key, values) in configuration ?? [:] {
            try db.save(Configuration(application: id, kind: .settings, name: key, value: .array(values)))
        }
        if let recovery {
            do {
                _ = try recovery.agreedSecret()
            } catch let fault as ProtocolFault {
                throw FixtureProblem(at: path + ["recovery", "printer_key"], "\(fault)")
            }
            try recovery.store(for: id, in: db)
        }
        for (service, settings) in push ?? [:] {
            guard PushDevice.Service(rawValue: service) != nil else {
                throw FixtureProblem(
                    at: path + ["push", service], "expected one of apns, fcm, hms, found “\(service)”")
            }
            try db.save(Configuration(application: id, kind: .push, name: service, value: .object(settings)))
        }
    }
}
