import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /device/v1/instance`: what the server knows of the installation.
    ///
    /// - Request: no body.
    /// - Response: `200 {"instanceid", "platform", "clientVersion", "name", "pushtoken", "secondfactor": {"pin":
    ///   "UNSET"|"SET"|"BLOCKED", "triesleft", "biometric", "cacheduntil"}, "accounts", "sessions"}`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func showInstance(_ request: Request) throws -> Response {
        try .json(look { db, _ in try deviceView(of: requireDevice(request, in: db), in: db) })
    }
}
