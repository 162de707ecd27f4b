import Crypto
import Essentials
import PlatformKit

/// A virtual server in a fixture file.
struct ServerFixture: Codable, Sendable {
    /// Base64 with neither `/` nor `+`.
    var id: String
    /// P-256 in PEM, line by line.
    var key: [String]
    /// 32 bytes in base64url; derived of the key when left out.
    var secret: String?
    var name: String
    /// Base64
    var logo: String?
    var flags: [String]?
    /// Seconds; 0 when left out.
    var pingTime: Int?
    /// Minutes; 0 when left out.
    var pinTimeout: Int?
    /// Minutes; 0 when left out.
    var pinTransTimeout: Int?
    var appAndroid: String?
    var appIOS: String?
    var appName: String?
    var appURL: String?
    var siteURL: String?
    var webSocketURL: String?
    var owner: Int?
    var attributes: [String: JSONValue]?
    var privilegedAttributes: [String: JSONValue]?

    enum CodingKeys: String, CodingKey {
        case id, key, secret, name, logo, flags, owner, attributes
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
}

extension ServerFixture {
    init(_ server: Server) {
        let links = server.links
        self.init(
            id: server.id, key: server.key.split(separator: "\n").map(String.init), secret: server.secret,
            name: server.name, logo: server.logo, flags: server.flags, pingTime: server.pingTime,
            pinTimeout: server.pinTimeout, pinTransTimeout: server.pinTransTimeout,
            appAndroid: links.appAndroid, appIOS: links.appIOS, appName: links.appName, appURL: links.appURL,
            siteURL: links.siteURL, webSocketURL: links.webSocketURL, owner: links.owner,
            attributes: server.attributes, privilegedAttributes: server.privilegedAttributes)
    }

    func server(at path: [String]) throws -> Server {
        guard Base64.decode(id) != nil, !id.contains("/"), !id.contains("+") else {
            throw FixtureProblem(
                at: path + ["id"], "expected Base64 with neither / nor +, found \"\(id.prefix(60))\"")
        }
        let pem = key.joined(separator: "\n") + "\n"
        guard let key = try? PrivateKey(pem: pem), key.kind == .ec(.p256) else {
            throw FixtureProblem(at: path + ["key"], "expected a private key of P-256 in PEM")
        }
        if let secret { try FixtureRules.requireBytes(secret, 32, at: path + ["secret"]) }
        for (name, value, range) in [
            ("ping_time", pingTime ?? 0, 0...31_536_000), ("pin_timeout", pinTimeout ?? 0, -1...525_600),
            ("pin_trans_timeout", pinTransTimeout ?? 0, -1...525_600),
        ] { try FixtureRules.require(range, value, at: path + [name]) }
        var server = Server(
            id: id, key: pem, publicKey: Base64.encode(try key.publicKey.der()),
            secret: secret ?? Base64URL.encode(Digest.sha256(Array(pem.utf8))), name: name)
        (server.logo, server.flags, server.pingTime) = (logo ?? "", flags ?? [], pingTime ?? 0)
        (server.pinTimeout, server.pinTransTimeout) = (pinTimeout ?? 0, pinTransTimeout ?? 0)
        server.links = ServerLinks(
            appAndroid: appAndroid, appIOS: appIOS, appName: appName, appURL: appURL, siteURL: siteURL,
            webSocketURL: webSocketURL, owner: owner)
        (server.attributes, server.privilegedAttributes) = (attributes ?? [:], privilegedAttributes ?? [:])
        return server
    }
}
