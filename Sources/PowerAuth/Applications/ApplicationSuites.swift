import Crypto
import Essentials
import PlatformKit
import PostQuantum
import SQLite

/// What an application has for protocol 4.0: master keys for every suite, and which of the protocols and suites it takes.
struct ApplicationSuites: Record, Equatable {
    static let table = Table("powerauth_application_suites", key: "application")
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_application_suites (
            application TEXT NOT NULL PRIMARY KEY REFERENCES powerauth_application (id) ON DELETE CASCADE,
            master_key TEXT NOT NULL, -- private key of P-384 in PEM
            ml_dsa_65_seed BLOB NOT NULL,
            ml_dsa_87_seed BLOB NOT NULL,
            algorithms TEXT NOT NULL, -- JSON array of texts
            minimum_protocol INTEGER NOT NULL
        ) STRICT
        """
    ]

    /// What came later: the upgrade of activations from 3.3.
    static let upgradeMigrations: [SQL] = [
        "ALTER TABLE powerauth_application_suites ADD COLUMN offers_upgrade INTEGER NOT NULL DEFAULT 0"
    ]

    /// What `supportedAlgorithms` may name.
    enum Algorithm: String, Codable, Sendable, CaseIterable {
        case p384 = "EC_P384"
        case p384WithMLKEM768 = "EC_P384_ML_L3"
        case p384WithMLKEM1024 = "EC_P384_ML_L5"
        /// Protocol 3.3, spoken by the SDK 2.x.
        case legacy = "LEGACY_P256"
    }

    static let protocols = 3...4

    let application: String
    /// Master private key of all suites, P-384 in PEM (PKCS #8).
    let masterKey: String
    /// Of the master keys of ML-DSA, 32 bytes each.
    let seed65: Base64Bytes
    let seed87: Base64Bytes
    /// Suites with which new activations may be made. ``Algorithm/legacy`` is told to apps, and opens or shuts nothing.
    var algorithms = Algorithm.allCases
    /// 3, or 4 for an application that makes no new activations of protocol 3.x.
    var minimumProtocol = 3
    /// Whether activations of 3.3 may become some of 4.0. SDKs before 2.0 take the offer in their status for an order, so that it is off.
    var offersUpgrade = false

    enum CodingKeys: String, CodingKey {
        case application, algorithms
        case masterKey = "master_key"
        case seed65 = "ml_dsa_65_seed"
        case seed87 = "ml_dsa_87_seed"
        case minimumProtocol = "minimum_protocol"
        case offersUpgrade = "offers_upgrade"
    }
}

extension ApplicationSuites {
    static func find(_ application: String, in db: Connection) throws -> ApplicationSuites {
        guard let found = try db.first(ApplicationSuites.self, where: "application = \(application)") else {
            throw StoredValueUnknown(table: "powerauth_application_suites", id: application)
        }
        return found
    }

    func takes(_ suite: V4.Suite) -> Bool { algorithms.contains { $0.rawValue == suite.rawValue } }

    fileprivate func seed(_ set: MLDSA) -> [UInt8] {
        switch set {
        case .mldsa65: seed65.bytes
        case .mldsa87: seed87.bytes
        }
    }
}

/// Where new master keys of an application come from.
struct SuiteKeySource {
    let curveKey: () throws -> PrivateKey
    let seed65: () throws -> [UInt8]
    let seed87: () throws -> [UInt8]

    /// New ones.
    init(_ entropy: Entropy) {
        curveKey = { try entropy.privateKey(.p384, "powerauth.master-key-p384") }
        seed65 = { entropy.bytes(MLDSA.seedCount, "powerauth.master-seed-65") }
        seed87 = { entropy.bytes(MLDSA.seedCount, "powerauth.master-seed-87") }
    }

    /// The same each time for one master key of 3.x: an application whose fixtures have no others keeps its configuration string.
    init(following key: PrivateKey) {
        func derived(_ label: String, _ count: Int) throws -> [UInt8] {
            try V4.derive(key.ecSecret(), "understudy/master/\(label)", count: count)
        }
        curveKey = { try PrivateKey(.p384, scalar: derived("p384", 48)) }
        seed65 = { try derived("ml-dsa-65", MLDSA.seedCount) }
        seed87 = { try derived("ml-dsa-87", MLDSA.seedCount) }
    }
}

extension World {
    /// The keys by which an application signs in a suite, parsed and expanded once.
    func masterSigner(of suites: ApplicationSuites, _ suite: V4.Suite) throws -> V4.Signer {
        V4.Signer(
            first: try masterKey(of: suites),
            second: try suite.signature.map { try masterKey(of: suites, $0) })
    }

    func masterKey(of suites: ApplicationSuites) throws -> PrivateKey {
        // The text itself is the name: another key can never be taken for it.
        try services.memo.value("powerauth.master-key." + suites.masterKey) {
            try PrivateKey(pem: suites.masterKey)
        }
    }

    func masterKey(of suites: ApplicationSuites, _ set: MLDSA) throws -> MLDSA.SigningKey {
        let seed = suites.seed(set)
        return try services.memo.value("powerauth.master-key.\(set.rawValue)." + Hex.encode(seed)) {
            try MLDSA.SigningKey(set, seed: seed)
        }
    }
}

extension Entropy {
    /// A key pair. What is no number below the order of the curve is drawn again.
    func privateKey(_ curve: Curve, _ purpose: String) throws -> PrivateKey {
        while true {
            if let key = try? PrivateKey(curve, scalar: bytes(curve.coordinateCount, purpose)) { return key }
        }
    }
}
