import Crypto
import Essentials
import PlatformKit
import SQLite

/// A virtual server. Servers share nothing but the process. Who may make one is trusted; nothing bounds their number.
struct Server: Record, Equatable {
    static let table = Table("nextauth_server", signed: ["pin_timeout", "pin_trans_timeout"])

    /// Base64 with neither `/` nor `+`, so that it stands in a path as it is.
    let id: String
    /// P-256, the lines of its PEM.
    let key: [String]
    /// Base64 of the public half (SPKI). Follows from the key when fixtures leave it out.
    let publicKey: String
    /// Keys the hash that makes session ids of nonces: 32 bytes, base64url. Follows from the key when fixtures leave it out.
    let secret: String
    var name: String
    /// A picture in Base64.
    var logo = ""
    /// Not documented; kept and returned.
    var flags: [String] = []
    /// Seconds that a device has to answer a ping; 0 for one-shot logins.
    var pingTime = 0
    /// Minutes without another second factor at a login; -1 never asks, 0 always.
    var pinTimeout = 0
    /// The same for transactions.
    var pinTransTimeout = 0
    // What the HTML block refers to, and who owns the server.
    var appAndroid: String?
    var appIOS: String?
    /// Takes the product's place in texts.
    var appName: String?
    /// Prefix that launches the app.
    var appURL: String?
    var siteURL: String?
    /// Nil for the WebSocket of this emulator.
    var webSocketURL: String?
    var owner: Int?
    var attributes: [String: JSONValue] = [:]
    var privilegedAttributes: [String: JSONValue] = [:]

    enum CodingKeys: String, CodingKey {
        case id, key, secret, name, logo, flags, owner, attributes
        case publicKey = "public_key"
        case pingTime = "ping_time"
        case pinTimeout = "pin_timeout"
        case pinTransTimeout = "pin_trans_timeout"
        case appAndroid = "app_android"
        case appIOS = "app_ios"
        case appName = "app_name"
        case appURL = "app_url"
        case siteURL = "site_url"
        case webSocketURL = "ws_url"
        case privilegedAttributes = "privileged_attributes"
    }

    static let migrations: [SQL] = [
        """
        CREATE TABLE nextauth_server (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE, -- Base64 with neither / nor +
            key TEXT NOT NULL, -- JSON array: the lines of a PEM
            public_key TEXT NOT NULL, -- SPKI in Base64
            secret TEXT NOT NULL, -- 32 bytes in base64url
            name TEXT NOT NULL,
            logo TEXT NOT NULL, -- Base64
            flags TEXT NOT NULL, -- JSON array of texts
            ping_time INTEGER NOT NULL, -- seconds
            pin_timeout INTEGER NOT NULL, -- minutes
            pin_trans_timeout INTEGER NOT NULL, -- minutes
            app_android TEXT,
            app_ios TEXT,
            app_name TEXT,
            app_url TEXT,
            site_url TEXT,
            ws_url TEXT,
            owner INTEGER,
            attributes TEXT NOT NULL, -- JSON object
            privileged_attributes TEXT NOT NULL -- JSON object
        ) STRICT
        """
    ]

    /// Attributes of the whole process.
    static let globalAttributes = Setting<[String: JSONValue]>("nextauth.attributes")
}

extension Server {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        key = try fields.decode([String].self, forKey: .key)
        publicKey =
            try fields.decodeIfPresent(String.self, forKey: .publicKey) ?? Self.publicKey(of: key) ?? ""
        secret =
            try fields.decodeIfPresent(String.self, forKey: .secret)
            ?? Base64URL.encode(Digest.sha256(Array(Self.pem(key).utf8)))
        name = try fields.decode(String.self, forKey: .name)
        logo = try fields.decodeIfPresent(String.self, forKey: .logo) ?? ""
        flags = try fields.decodeIfPresent([String].self, forKey: .flags) ?? []
        pingTime = try fields.decodeIfPresent(Int.self, forKey: .pingTime) ?? 0
        pinTimeout = try fields.decodeIfPresent(Int.self, forKey: .pinTimeout) ?? 0
        pinTransTimeout = try fields.decodeIfPresent(Int.self, forKey: .pinTransTimeout) ?? 0
        appAndroid = try fields.decodeIfPresent(String.self, forKey: .appAndroid)
        appIOS = try fields.decodeIfPresent(String.self, forKey: .appIOS)
        appName = try fields.decodeIfPresent(String.self, forKey: .appName)
        appURL = try fields.decodeIfPresent(String.self, forKey: .appURL)
        siteURL = try fields.decodeIfPresent(String.self, forKey: .siteURL)
        webSocketURL = try fields.decodeIfPresent(String.self, forKey: .webSocketURL)
        owner = try fields.decodeIfPresent(Int.self, forKey: .owner)
        attributes = try fields.decodeIfPresent([String: JSONValue].self, forKey: .attributes) ?? [:]
        privilegedAttributes =
            try fields.decodeIfPresent([String: JSONValue].self, forKey: .privilegedAttributes) ?? [:]
    }

    private static func pem(_ lines: [String]) -> String { lines.joined(separator: "\n") + "\n" }

    /// Nil for lines that are no PEM of a key on P-256.
    static func publicKey(of lines: [String]) -> String? {
        guard let key = try? PrivateKey(pem: pem(lines)), key.kind == .ec(.p256) else { return nil }
        return (try? key.publicKey.der()).map(Base64.encode)
    }

    static func find(_ id: String, in db: Connection) throws -> Server? {
        try db.first(Server.self, where: "id = \(id)")
    }
}

extension Server {
    /// The session id that a device and the WebSocket use for the nonce of a back end. It is the only secret there.
    func hashedSessionID(of nonce: String) -> String {
        let key = Base64URL.decode(secret) ?? Array(secret.utf8)
        return Base64URL.encode(Digest.sha256.authenticationCode(of: Array(nonce.utf8), key: key))
    }

    /// In the alphabet of codes and links.
    var urlSafeID: String { Self.urlSafe(id) }

    static func urlSafe(_ id: String) -> String {
        id.replacing("+", with: "-").replacing("/", with: "_").replacing("=", with: "")
    }

    /// The spelling in which ids are kept, of any that a path or a code may have.
    static func standardID(_ spelling: String) -> String {
        let plain = spelling.replacing("-", with: "+").replacing("_", with: "/").replacing("=", with: "")
        return plain + String(repeating: "=", count: (4 - plain.utf8.count % 4) % 4)
    }
}
