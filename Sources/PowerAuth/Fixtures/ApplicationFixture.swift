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
    /// Master private key of protocol 4.0 in PEM, P-384, line by line. It follows from `master_key` when left out, as the next two.
    var masterKeyP384: [String]?
    /// Base64 of 32 bytes, the seed of the master key of ML-DSA-65.
    var seed65: Base64Bytes?
    /// Base64 of 32 bytes, the seed of the master key of ML-DSA-87.
    var seed87: Base64Bytes?
    /// Suites of protocol 4.0 with which new activations may be made, and `LEGACY_P256`; all when left out.
    var supportedAlgorithms: [ApplicationSuites.Algorithm]?
    /// 3, or 4 for an application that makes no new activations of protocol 3; 3 when left out.
    var minimumProtocol: Int?
    /// Whether activations of 3.3 may be upgraded to 4.0; false when left out.
    var offersUpgrade: Bool?
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
        case masterKeyP384 = "master_key_p384"
        case seed65 = "ml_dsa_65_seed"
        case seed87 = "ml_dsa_87_seed"
        case supportedAlgorithms = "supported_algorithms"
        case minimumProtocol = "minimum_protocol"
        case offersUpgrade = "offers_upgrade"
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
        let suites = try ApplicationSuites.find(application.id, in: db)
        self.init(
            id: application.id, roles: application.roles, masterKey: Self.lines(application.masterKey),
            masterKeyP384: Self.lines(suites.masterKey), seed65: suites.seed65, seed87: suites.seed87,
            supportedAlgorithms: suites.algorithms, minimumProtocol: suites.minimumProtocol,
            offersUpgrade: suites.offersUpgrade, offersRecovery: application.offersRecovery,
            recovery: try RecoverySettings.find(application.id, in: db),
            versions: try application.versions(in: db).map {
                Version(name: $0.name, key: $0.key, secret: $0.secret, isSupported: $0.isSupported)
            },
            providers: try application.providers.list(),
            configuration: settings.isEmpty ? nil : settings.compactMapValues(\.array),
            push: push.isEmpty ? nil : push.compactMapValues(\.object))
    }

    private static func lines(_ pem: String) -> [String] { pem.split(separator: "\n").map(String.init) }
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
        let key = try Self.masterKey(pem, .p256, at: path + ["master_key"])
        try checkProviders(at: path)
        try db.insert(
            Application(
                id: id, roles: roles ?? [], masterKey: pem, offersRecovery: offersRecovery ?? false,
                providers: try OpenIDProviders(providers ?? [])))
        try db.insert(suites(following: key, at: path))
        try loadVersions(&rules, at: path, into: db)
        try loadConfiguration(at: path, into: db)
    }

    /// What is left out follows from the master key of 3.x, so that the app's configuration stays the same from start to start.
    private func suites(following key: PrivateKey, at path: [String]) throws -> ApplicationSuites {
        let derived = SuiteKeySource(following: key)
        let pem = try masterKeyP384.map { $0.joined(separator: "\n") + "\n" } ?? derived.curveKey().pem()
        _ = try Self.masterKey(pem, .p384, at: path + ["master_key_p384"])
        let seeds = try (
            seed65 ?? Base64Bytes(derived.seed65()), seed87 ?? Base64Bytes(derived.seed87())
        )
        try FixtureRules.require([32], seeds.0, at: path + ["ml_dsa_65_seed"])
        try FixtureRules.require([32], seeds.1, at: path + ["ml_dsa_87_seed"])
        try FixtureRules.require(
            ApplicationSuites.protocols, minimumProtocol ?? 3, at: path + ["minimum_protocol"])
        var own = FixtureRules()
        for (index, algorithm) in (supportedAlgorithms ?? []).enumerated() {
            try own.add(
                algorithm.rawValue, to: "algorithm", at: path + ["supported_algorithms", String(index)])
        }
        return ApplicationSuites(
            application: id, masterKey: pem, seed65: seeds.0, seed87: seeds.1,
            algorithms: supportedAlgorithms ?? ApplicationSuites.Algorithm.allCases,
            minimumProtocol: minimumProtocol ?? 3, offersUpgrade: offersUpgrade ?? false)
    }

    private static func masterKey(_ pem: String, _ curve: Curve, at path: [String]) throws -> PrivateKey {
        do {
            let key = try PrivateKey(pem: pem)
            guard key.kind == .ec(curve) else {
                throw FixtureProblem(
                    at: path, "expected a key on \(curve.rawValue), found one of \(key.kind)")
            }
            return key
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
