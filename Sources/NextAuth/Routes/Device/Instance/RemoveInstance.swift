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
        try change { turn in try wipe(requireDevice(request, in: turn.db), in: turn) }
        return .noContent
    }

    /// Removes an installation and everything of it.
    func wipe(_ instance: Instance, in turn: Turn) throws {
        for account in try Account.all(ofInstance: instance.id, in: turn.db) {
            try remove(account, isByDevice: true, in: turn)
        }
        try turn.db.delete(Flow.self, where: "instance = \(instance.id)")
        try turn.db.delete(DeviceEvent.self, where: "instance = \(instance.id)")
        try turn.db.delete(PushMessage.self, where: "instance = \(instance.id)")
        try turn.delete(instance)
    }
}
