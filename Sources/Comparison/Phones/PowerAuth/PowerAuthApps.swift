import Crypto
import Essentials
import PostQuantum
import PowerAuthDevice

/// The applications of a world that phones are built for, by its fixtures.
struct PowerAuthApps {
    private let configurations: [MobileConfiguration]

    /// - Parameter fixtures: of the world. Applications whose keys cannot be read are left out: no phone is built for them.
    init(fixtures: [UInt8]) {
        // A world that says nothing has no applications.
        let world = SpelledJSON(fixtures)
        configurations = (world?["powerauth"]?["applications"]?.array ?? []).flatMap(Self.configurations)
    }

    private static func configurations(of application: SpelledJSON) -> [MobileConfiguration] {
        guard let key = publicKey(application["master_key"]) else { return [] }
        let furtherKeys = furtherKeys(of: application)
        return (application["versions"]?.array ?? []).compactMap { version in
            guard let name = version["app_key"]?.string, let secret = version["app_secret"]?.string else {
                return nil
            }
            return MobileConfiguration(
                applicationKey: name, applicationSecret: secret, masterKey: key, furtherKeys: furtherKeys)
        }
    }

    /// Those of protocol 4.0, by their numbers. Without them its phones refuse their configuration.
    private static func furtherKeys(of application: SpelledJSON) -> [UInt8: [UInt8]] {
        var keys: [UInt8: [UInt8]] = [:]
        keys[2] = publicKey(application["master_key_p384"]).flatMap { try? $0.x962() }
        let seeds: [(UInt8, MLDSA, String)] = [
            (3, .mldsa65, "ml_dsa_65_seed"), (4, .mldsa87, "ml_dsa_87_seed"),
        ]
        for (number, set, name) in seeds {
            let seed = application[name]?.string.flatMap { Base64.decode($0) }
            keys[number] = seed.flatMap {
                try? MLDSA.SigningKey(set, seed: $0).verificationKey.subjectPublicKeyInfo
            }
        }
        return keys
    }

    private static func publicKey(_ lines: SpelledJSON?) -> PublicKey? {
        let pem = (lines?.array ?? []).compactMap(\.string).joined(separator: "\n")
        return try? PrivateKey(pem: pem + "\n").publicKey
    }

    /// The one with this key.
    subscript(_ applicationKey: String) -> MobileConfiguration? {
        configurations.first { $0.applicationKey == applicationKey }
    }

    /// Where a world has no more than one, it stands for every other.
    var only: MobileConfiguration? { configurations.count == 1 ? configurations.first : nil }
}
