import HTTP
import PlatformKit
import SQLite

extension NextAuth {
    /// `DELETE /device/v1/instance`: wipes the installation with its accounts, so that a test leaves no orphans.
    ///
    /// - Request: no body.
    /// - Response: `204`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func removeInstance(_ request: Request) throws -> Response {
        try change { turn in try accounts.wipe(request.requireDevice(in: turn.db), in: turn) }
        return .noContent
    }
}
