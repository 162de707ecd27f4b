import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    struct NewInstance: Decodable {
        let platform: String
        let clientVersion: String
        let name: String?
        let pushtoken: String?
    }

    /// `POST /device/v1/instances`: makes an installation of an app known. One per installation; whoever loses the token has
    /// uninstalled the app, and nobody is told.
    ///
    /// - Request: `{"platform": "android"|"ios"|"test", "clientVersion", "name"?, "pushtoken"?}`; no authorization.
    /// - Response: `200 {"instanceid", "token", "secondfactor": {"pin": "UNSET", …}, "time"}`.
    /// - Errors: `BAD_REQUEST`.
    /// - Source: ours.
    func registerInstance(_ request: Request) throws -> Response {
        let input = try request.json(NewInstance.self)
        guard let platform = Instance.Platform(rawValue: input.platform) else {
            throw DeviceRefusal.malformed(
                "The platform is “\(input.platform.prefix(40))”, expected android, ios or test.")
        }
        try Instance.requireShort([input.clientVersion, input.name, input.pushtoken])
        let answer = try change { turn -> JSONValue in
            let id = try services.entropy.freshToken(for: "instance") {
                try Instance.find($0, in: turn.db) != nil
            }
            let token = try freshToken(in: turn.db)
            let instance = Instance(
                id: id, tokenDigest: Instance.digest(of: token),
                platform: platform, clientVersion: input.clientVersion, name: input.name,
                pushToken: input.pushtoken, createdAt: turn.now)
            try turn.insert(instance)
            turn.issued(token)
            return [
                "instanceid": .string(instance.id), "token": .string(token),
                "secondfactor": instance.factor.deviceView(
                    tries: try world.settings(in: turn.db).tries, cachedUntil: nil),
                "time": .integer(turn.now.unixSeconds),
            ]
        }
        return try .json(answer)
    }

    private func freshToken(in db: Connection) throws -> String {
        while true {
            let token = services.entropy.token(32, for: "token")
            if try Instance.find(tokenDigest: Instance.digest(of: token), in: db) == nil { return token }
        }
    }
}

extension NextAuth {
    /// `GET /device/v1/instance`: what the server knows of the installation.
    ///
    /// - Request: no body.
    /// - Response: `200 {"instanceid", "platform", "clientVersion", "name", "pushtoken", "secondfactor": {"pin":
    ///   "UNSET"|"SET"|"BLOCKED", "triesleft", "biometric", "cacheduntil"}, "accounts", "sessions"}`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func showInstance(_ request: Request) throws -> Response {
        try .json(
            look { db, _ in try request.requireDevice(in: db).deviceView(world.settings(in: db), in: db) })
    }
}

extension NextAuth {
    /// `GET /device/v1/servers/{serverid}`: what an app shows of a server before it has anything to do with it.
    ///
    /// - Request: the id in standard Base64 or base64url; no authorization.
    /// - Response: `200 {"serverid", "serverpk", "serverName", "logo", "pingTime", "pinTimeout", "pinTransTimeout", "serverFlags",
    ///   "appname", "wsurl", "vash"}`.
    /// - Errors: `SERVER_NOT_FOUND`.
    /// - Source: ours.
    func showServerToDevice(_ request: Request) throws -> Response {
        let id = request.parameter("serverid")
        let server = try look { db, _ in try Server.find(Server.standardID(id), in: db) }
        guard let server else { throw DeviceRefusal.serverUnknown(id) }
        return try .json(server.deviceView(for: request, visualHash: world.visualHash(of: server)))
    }
}
