import Essentials
import HTTP
import PlatformKit

extension NextAuth {
    /// `GET /device/v1/messages`: the pushes that nobody has read. Asking is no activity of the user.
    ///
    /// - Request: no body.
    /// - Response: `200`, a list of `{"messageid", "type": "LOGIN"|"LOGOUT"|"ACCOUNT_DELETED"|"TRANSACTION", "serverid", "hsid",
    ///   "accountid", "announceinfo", "created", "expires"}`.
    /// - Errors: `UNAUTHORIZED`.
    /// - Source: ours.
    func listMessages(_ request: Request) throws -> Response {
        let found = try look { db, now in
            try PushMessage.outstanding(of: request.requireDevice(in: db).id, at: now, in: db)
        }
        return try .json(found.map(\.deviceView))
    }

    /// `POST /device/v1/messages/{id}/read`: the app has shown the push; of a login the browser hears `CONFIRMPROVOKE`.
    ///
    /// - Request: no body.
    /// - Response: `200`, the message.
    /// - Errors: `UNAUTHORIZED`, `MESSAGE_NOT_FOUND`, also for an expired one.
    /// - Source: ours.
    func readMessage(_ request: Request) throws -> Response {
        let id = request.parameter("id")
        let message = try change(for: request) { instance, turn in
            guard var message = try PushMessage.find(id, of: instance.id, in: turn.db),
                turn.now < message.expiresAt
            else { throw DeviceRefusal.messageUnknown(id) }
            if message.readAt == nil, message.kind == .login, let hsid = message.hsid {
                try logins.markPending(hsid, of: message.server, .confirmProvoke, in: turn)
            }
            message.readAt = message.readAt ?? turn.now
            try turn.update(message)
            return message
        }
        return try .json(message.deviceView)
    }
}
