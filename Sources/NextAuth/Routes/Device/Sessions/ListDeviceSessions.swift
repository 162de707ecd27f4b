import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /device/v1/sessions`: the running sessions of the installation, those that pings keep alive.
    ///
    /// - Request: no body. A stub counts the call as activity of the user.
    /// - Response: `200 {"sessions": […]}`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func listDeviceSessions(_ request: Request) throws -> Response {
        let answer = try look { db, _ -> JSONValue in
            ["sessions": try runningSessions(of: requireDevice(request, in: db), in: db)]
        }
        return try .json(answer)
    }
}
