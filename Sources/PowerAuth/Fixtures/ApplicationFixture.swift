import Essentials

/// An application in a fixture file.
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
    var versions: [ApplicationVersionFixture]
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
}
