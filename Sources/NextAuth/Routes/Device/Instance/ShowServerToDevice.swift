import Crypto
import Essentials
import HTTP
import PlatformKit

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
        return try .json(server.deviceView(for: request, visualHash: visualHash(of: server)))
    }
}
