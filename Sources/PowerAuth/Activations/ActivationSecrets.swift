import Crypto
import Essentials
import PostQuantum
import SQLite

/// What an activation of protocol 4.0 has beside its entry: suite, shared secret, keys of both sides and of the factors.
struct ActivationSecrets: Record, Equatable {
    static let table = Table("powerauth_activation_secrets", key: "activation")
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_activation_secrets (
            activation TEXT NOT NULL PRIMARY KEY,
            suite TEXT NOT NULL,
            secret BLOB NOT NULL, -- 32 bytes
            device_key BLOB NOT NULL, -- P-384, X9.62, uncompressed
            device_second_key BLOB, -- ML-DSA, SubjectPublicKeyInfo
            server_key BLOB NOT NULL, -- P-384 scalar
            server_seed BLOB, -- ML-DSA, 32 bytes
            knowledge_key BLOB NOT NULL, -- 32 bytes
            next_knowledge_key BLOB,
            biometry_key BLOB,
            next_biometry_key BLOB,
            is_confirmed INTEGER NOT NULL
        ) STRICT
        """
    ]

    /// What came later: the upgrade of an activation from 3.3.
    static let upgradeMigrations: [SQL] = [
        "ALTER TABLE powerauth_activation_secrets ADD COLUMN upgrade_counter_data BLOB"
    ]

    let activation: String
    let suite: V4.Suite
    /// KEY_ACTIVATION_SECRET, 32 bytes.
    let secret: Base64Bytes
    /// Public key of the device, a point of P-384.
    let deviceKey: Base64Bytes
    /// Its key of ML-DSA, SubjectPublicKeyInfo, in the suites that have one.
    var deviceSecondKey: Base64Bytes?
    /// KEY_SERVER: scalar of P-384, 48 bytes.
    let serverKey: Base64Bytes
    /// Of the server's key of ML-DSA, 32 bytes, in the suites that have one.
    var serverSeed: Base64Bytes?
    /// The key by which the PIN is shown, and the one that takes its place with the first code that is made with it; 32 bytes.
    var knowledgeKey: Base64Bytes
    var nextKnowledgeKey: Base64Bytes?
    /// The same of biometry; nil while it is not enabled.
    var biometryKey: Base64Bytes?
    var nextBiometryKey: Base64Bytes?
    /// Whether the device has confirmed the activation.
    var isConfirmed = false
    /// CTR_DATA of 4.0, 32 bytes, of an activation that speaks 3.3 until its device has confirmed the upgrade; nil otherwise.
    var upgradeCounterData: Base64Bytes?

    enum CodingKeys: String, CodingKey {
        case activation, suite, secret
        case deviceKey = "device_key"
        case deviceSecondKey = "device_second_key"
        case serverKey = "server_key"
        case serverSeed = "server_seed"
        case knowledgeKey = "knowledge_key"
        case nextKnowledgeKey = "next_knowledge_key"
        case biometryKey = "biometry_key"
        case nextBiometryKey = "next_biometry_key"
        case isConfirmed = "is_confirmed"
        case upgradeCounterData = "upgrade_counter_data"
    }
}

extension ActivationSecrets {
    static func find(_ activation: String, in db: Connection) throws -> ActivationSecrets? {
        try db.first(ActivationSecrets.self, where: "activation = \(activation)")
    }

    var keys: V4.ActivationKeys { V4.ActivationKeys(secret: secret.bytes) }

    func factorKeys() throws -> V4.FactorKeys {
        V4.FactorKeys(
            possession: try keys.factor(.possession),
            knowledge: [knowledgeKey.bytes] + [nextKnowledgeKey?.bytes].compactMap(\.self),
            biometry: [biometryKey?.bytes, nextBiometryKey?.bytes].compactMap(\.self))
    }

    /// With the next key of the last factor of that type as the current one.
    func settled(_ type: SignatureType) -> ActivationSecrets {
        var settled = self
        switch type.factors.last {
        case .knowledge:
            settled.knowledgeKey = nextKnowledgeKey ?? knowledgeKey
            settled.nextKnowledgeKey = nil
        case .biometry:
            settled.biometryKey = nextBiometryKey ?? biometryKey
            settled.nextBiometryKey = nil
        case .possession, nil: break
        }
        return settled
    }

    /// The keys by which the server signs what it tells the device.
    func signer() throws -> V4.Signer {
        V4.Signer(
            first: try PrivateKey(.p384, scalar: serverKey.bytes),
            second: try suite.signature.flatMap { set in
                try serverSeed.map { try MLDSA.SigningKey(set, seed: $0.bytes) }
            })
    }

    /// The number that the app shows before the commit.
    func fingerprint() throws -> String {
        let signer = try signer()
        return V4.fingerprint(
            suite,
            device: V4.SigningKeys(
                point: try CurvePoint(.p384, x962: deviceKey.bytes), second: deviceSecondKey?.bytes),
            activationID: activation,
            server: V4.SigningKeys(
                point: try CurvePoint(signer.first.publicKey),
                second: signer.second?.verificationKey.subjectPublicKeyInfo))
    }
}
