import Crypto
import Essentials
import SQLite

/// A virtual server. Servers share nothing but the process.
struct Server: Sendable, Equatable {
    /// Base64 with neither `/` nor `+`, so that it stands in a path as it is.
    let id: String
    /// P-256, in PEM.
    let key: String
    /// Base64 of the public half (SPKI).
    let publicKey: String
    /// Keys the hash that makes session ids of nonces: 32 bytes, base64url.
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
    var links = ServerLinks()
    var attributes: [String: JSONValue] = [:]
    var privilegedAttributes: [String: JSONValue] = [:]
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

extension Server: RowDecodable {
    init(row: Row) throws {
        self.init(
            id: try row.text("id"), key: try row.text("key"), publicKey: try row.text("public_key"),
            secret: try row.text("secret"), name: try row.text("name"), logo: try row.text("logo"),
            flags: try row.strings("flags"), pingTime: try row.integer("ping_time"),
            pinTimeout: try row.integer("pin_timeout"),
            pinTransTimeout: try row.integer("pin_trans_timeout"), links: try ServerLinks(row: row),
            attributes: try row.object("attributes"),
            privilegedAttributes: try row.object("privileged_attributes"))
    }
}
