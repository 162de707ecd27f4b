import HTTP
import PlatformKit

extension NextAuth {
    /// `DELETE /device/v1/instance`: wipes the installation with its accounts, so that a test leaves no orphans.
    ///
    /// - Request: no body.
    /// - Response: `204`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func removeInstance(_ request: Request) throws -> Response {
        try change { turn in try wipe(requireDevice(request, in: turn.db), in: turn) }
        return .noContent
    }

    /// Removes an installation and everything of it.
    func wipe(_ instance: Instance, in turn: Turn) throws {
        for account in try accounts.all(ofInstance: instance.id, in: turn.db) {
            try remove(account, isByDevice: true, in: turn)
        }
        try flows.removeAll(of: instance.id, in: turn.db)
        try events.removeAll(of: instance.id, in: turn.db)
        try messages.removeAll(of: instance.id, in: turn.db)
        try instances.remove(instance.id, in: turn.db)
    }
}
