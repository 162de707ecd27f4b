import Crypto
import Essentials
import PlatformKit
import SQLite

/// An application: what owns a master key pair, and one or more versions with a key and a secret each.
struct Application: Record, Equatable {
    static let table: Table = "powerauth_application"

    let id: String
    /// Told in every verification result, in this order.
    var roles: [String]
    /// Master private key, PEM (PKCS #8), P-256.
    let masterKey: String
    /// Whether activations bring a recovery code.
    var offersRecovery = false
    /// OpenID Connect providers by which an activation may be made.
    var providers = OpenIDProviders()

    enum CodingKeys: String, CodingKey {
        case id, roles
        case masterKey = "master_key"
        case offersRecovery = "offers_recovery"
        case providers = "oauth2_providers"
    }
}

extension Application {
    /// By hand: every authenticated request reads one, and by `Codable` that takes 15,500 instructions.
    init(row: Row) throws {
        self.init(
            id: try row.text("id"), roles: try row.strings("roles"), masterKey: try row.text("master_key"),
            offersRecovery: try row.boolean("offers_recovery"),
            providers: OpenIDProviders(json: try row.text("oauth2_providers")))
    }

    static func find(_ id: String, in db: Connection) throws -> Application? {
        try db.first(Application.self, where: "id = \(id)")
    }

    /// In the order in which they came.
    func versions(in db: Connection) throws -> [ApplicationVersion] {
        try ApplicationVersion.all(of: id, in: db)
    }
}

/// A version of an application: the key and the secret that one build of the app carries.
struct ApplicationVersion: Record, Equatable {
    static let table = Table("powerauth_application_version", key: "app_key")

    let application: String
    let name: String
    /// `appKey`: Base64 of 16 bytes, 24 characters. Unique.
    let key: String
    /// `appSecret`: Base64 of 16 bytes. The protocol uses it as text in some places, decoded in others.
    let secret: String
    var isSupported = true

    enum CodingKeys: String, CodingKey {
        case application, name
        case key = "app_key"
        case secret = "app_secret"
        case isSupported = "is_supported"
    }
}

extension ApplicationVersion {
    /// The version that an `appKey` names, supported or not.
    static func find(_ key: String, in db: Connection) throws -> ApplicationVersion? {
        try db.first(ApplicationVersion.self, where: "app_key = \(key)")
    }

    static func all(of application: String, in db: Connection) throws -> [ApplicationVersion] {
        try db.all(ApplicationVersion.self, where: "application = \(application)")
    }
}

extension World {
    /// The application's master private key, parsed once.
    func masterKey(of application: Application) throws -> PrivateKey {
        // The text itself is the name: another key can never be taken for it.
        try services.memo.value("powerauth.master-key." + application.masterKey) {
            try PrivateKey(pem: application.masterKey)
        }
    }

    /// The same key for agreement.
    func masterScalar(of application: Application) throws -> SecretScalar {
        try services.memo.value("powerauth.master-scalar." + application.masterKey) {
            try SecretScalar(masterKey(of: application))
        }
    }
}
