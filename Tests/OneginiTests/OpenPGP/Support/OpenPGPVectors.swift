import Crypto
import Essentials

@testable import Onegini

/// `Tests/Vectors/onegini/openpgp.json`.
struct OpenPGPVectors: Decodable {
    static let shared = read(OpenPGPVectors.self, "openpgp.json")

    /// 2024-01-01, when all keys of the vectors were made.
    static let keyTime = Date(timeIntervalSince1970: 1_704_067_200)

    let deviceRSASecret: String
    let deviceRSA: String
    let deviceRSAPEM: String
    let deviceRSAFingerprints: [String]
    let deviceCurveSecret: String
    let deviceCurve: String
    let deviceCurveFingerprints: [String]
    let deviceCurveSubkeySecret: String
    let server: String
    let serverFingerprints: [String]
    let serverEncryptionPEM: String
    let toDevicePlaintext: String
    let toRSADevice: String
    let toCurveDevice: String
    let toServerPlaintext: String
    let toServerUnsigned: String
    let toServerSigned: String

    enum CodingKeys: String, CodingKey {
        case deviceRSASecret = "device_rsa_secret_key_armored"
        case deviceRSA = "device_rsa_public_key_armored"
        case deviceRSAPEM = "device_rsa_private_pkcs8_pem"
        case deviceRSAFingerprints = "device_rsa_fingerprints"
        case deviceCurveSecret = "device_cv25519_secret_key_armored"
        case deviceCurve = "device_cv25519_public_key_armored"
        case deviceCurveFingerprints = "device_cv25519_fingerprints"
        case deviceCurveSubkeySecret = "device_cv25519_subkey_secret"
        case server = "server_public_key_armored"
        case serverFingerprints = "server_fingerprints"
        case serverEncryptionPEM = "server_encryption_subkey_private_pkcs8_pem"
        case toDevicePlaintext = "server_to_device_plaintext"
        case toRSADevice = "server_to_device_rsa_armored"
        case toCurveDevice = "server_to_device_cv25519_armored"
        case toServerPlaintext = "device_to_server_plaintext"
        case toServerUnsigned = "device_to_server_unsigned_armored"
        case toServerSigned = "device_to_server_signed_armored"
    }

    /// A server that has the encryption key of the vectors; their certifying key is not known and is another here.
    func serverKey() throws -> OpenPGPServerKey {
        try OpenPGPServerKey(
            primary: PrivateKey(pem: deviceRSAPEM), encryption: PrivateKey(pem: serverEncryptionPEM),
            createdAt: Self.keyTime)
    }

    /// What decrypts as the device of RSA does: its key and the time it was made at give the same key id.
    func deviceReader() throws -> OpenPGPServerKey {
        try OpenPGPServerKey(
            primary: PrivateKey(pem: serverEncryptionPEM), encryption: PrivateKey(pem: deviceRSAPEM),
            createdAt: Self.keyTime)
    }
}

/// Reads a file of `Tests/Vectors/onegini`.
func read<Value: Decodable>(_: Value.Type, _ name: String) -> Value {
    let file = URL(filePath: #filePath).appending(path: "../../../../Vectors/onegini").appending(path: name)
        .standardizedFileURL
    let decoder = JSONDecoder()
    decoder.dateDecodingStrategy = .iso8601
    guard let data = try? Data(contentsOf: file), let value = try? decoder.decode(Value.self, from: data)
    else { preconditionFailure("no vectors in \(name)") }
    return value
}

/// Bytes that look like chance and are the same in every run.
func steadyEntropy() -> (Int) -> [UInt8] {
    var state: UInt64 = 1
    return { count in
        (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(truncatingIfNeeded: state >> 56)
        }
    }
}
