import Crypto
import Essentials
import PowerAuthDevice

/// The applications of a world that phones are built for, by its fixtures.
struct PowerAuthApps {
    typealias Configuration = MobileConfiguration

    private let configurations: [MobileConfiguration]

    /// - Parameter fixtures: of the world. Applications whose keys cannot be read are left out: no phone is built for them.
    init(fixtures: [UInt8]) {
        // A world that says nothing has no applications.
        let world = SpelledJSON(fixtures)
        configurations = (world?["powerauth"]?["applications"]?.array ?? []).flatMap(Self.configurations)
    }

    private static func configurations(of application: SpelledJSON) -> [MobileConfiguration] {
        let pem = (application["master_key"]?.array ?? []).compactMap(\.string).joined(separator: "\n")
        guard let key = try? PrivateKey(pem: pem + "\n").publicKey else { return [] }
        return (application["versions"]?.array ?? []).compactMap { version in
            guard let name = version["app_key"]?.string, let secret = version["app_secret"]?.string else {
                return nil
            }
            return MobileConfiguration(applicationKey: name, applicationSecret: secret, masterKey: key)
        }
    }

    /// The one with this key.
    subscript(_ applicationKey: String) -> MobileConfiguration? {
        configurations.first { $0.applicationKey == applicationKey }
    }

    /// Where a world has no more than one, it stands for every other.
    var only: MobileConfiguration? { configurations.count == 1 ? configurations.first : nil }
}
