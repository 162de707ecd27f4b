import Essentials
import HTTP
package import PlatformKit
import SQLite

extension Server {
    /// Where browsers watch its sessions.
    func webSocketURL(for request: Request) -> String {
        if let url = webSocketURL { return url }
        let isSecure = request.origin.hasPrefix("https:")
        let rest = request.origin.drop { $0 != "/" }
        return (isSecure ? "wss:" : "ws:") + rest + request.mount + "/ws"
    }

    /// What the device protocol shows, keys in its own alphabet.
    ///
    /// - Parameter visualHash: the PNG in base64url.
    func deviceView(for request: Request, visualHash: String) -> JSONValue {
        [
            "serverid": .string(urlSafeID),
            "serverpk": .string(Self.urlSafe(publicKey)),
            "serverName": .string(name), "logo": .string(logo), "pingTime": .integer(pingTime),
            "pinTimeout": .integer(pinTimeout), "pinTransTimeout": .integer(pinTransTimeout),
            "serverFlags": JSONValue(flags), "appname": appName.map(JSONValue.string) ?? .null,
            "wsurl": .string(webSocketURL(for: request)),
            "vash": .string(visualHash),
        ]
    }
}

extension NextAuth: ConfiguresApps {
    /// One for each server, in the place of the vendor's signed configuration string.
    package func appConfigurations() throws -> [AppConfiguration] {
        try database.read { db in
            try db.all(Server.self).map {
                AppConfiguration(application: $0.id, mount: Self.name, values: ["serverName": $0.name])
            }
        }
    }
}
