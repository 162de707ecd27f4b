import Essentials
import HTTP
import PlatformKit
import SQLite

/// The inbox of the user of a device, in the device's application. Source of all of it: Mobile Token documentation, “Inbox”.
extension PowerAuth {
    /// `POST /api/inbox/count`: how many messages are not read.
    ///
    /// - Request: `{}`, with a MAC token.
    /// - Response: `200`, envelope with `{"countUnread"}`.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`.
    /// - Source: as above.
    func countInboxMessages(_ request: Request) throws -> Response {
        let count = try change { turn in
            try withOwner(request, in: turn) { device in
                try InboxMessage.unreadCount(of: device.activation.user, in: device.application.id, turn.db)
            }
        }
        return .powerAuth(responseObject: ["countUnread": .integer(count)])
    }

    /// `POST /api/inbox/message/list`: a page of messages, newest first.
    ///
    /// - Request: `{"requestObject": {"page", "size", "onlyUnread"}}`; pages from 0, at most 1000 messages each, 100 when left out.
    /// - Response: `200`, envelope with `page`, `size` and a list without bodies; behind the end an empty one.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`; 400 `INVALID_REQUEST`.
    /// - Source: as above.
    func listInboxMessages(_ request: Request) throws -> Response {
        try change { turn in
            try withOwner(request, in: turn) { device in
                let input = try Members(ofDevice: request)
                let page = ListPage(
                    number: try input.optionalInteger("page", ListPage.numbers) ?? 0,
                    size: try input.optionalInteger("size", 1...1000) ?? 100)
                let messages = try InboxMessage.page(
                    page, of: device.activation.user, in: [device.application.id],
                    onlyUnread: try input.optionalBoolean("onlyUnread") ?? false, turn.db)
                return .powerAuth(
                    responseObject: .array(messages.map { .object($0.listed) }),
                    members: [("page", .integer(page.number)), ("size", .integer(page.size))])
            }
        }
    }

    /// `POST /api/inbox/message/detail`: one message with its body; it stays as read or unread as it was.
    ///
    /// - Request: `{"requestObject": {"id"}}`.
    /// - Response: `200`, envelope with the message.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`; 400 `INBOX_FAILED` for one that is not there or is another user's, `INVALID_REQUEST`.
    /// - Source: as above.
    func showInboxMessage(_ request: Request) throws -> Response {
        try change { turn in
            try withMessage(request, in: turn) { message in
                .powerAuth(
                    responseObject: .object(
                        message.listed.merging(["body": .string(message.body)]) { _, new in new }))
            }
        }
    }

    /// `POST /api/inbox/message/read`: marks one as read, also when it was.
    ///
    /// - Request: `{"requestObject": {"id"}}`.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: as above.
    /// - Source: as above.
    func readInboxMessage(_ request: Request) throws -> Response {
        try change { turn in
            try withMessage(request, in: turn) { found in
                var message = found
                try message.markRead(in: turn)
            }
        }
        return .powerAuth()
    }

    /// `POST /api/inbox/message/read-all`: marks all as read.
    ///
    /// - Request: `{}`.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: 401 `POWERAUTH_AUTH_FAIL`.
    /// - Source: as above.
    func readAllInboxMessages(_ request: Request) throws -> Response {
        try change { turn in
            try withOwner(request, in: turn) {
                try InboxMessage.markAllRead(
                    of: $0.activation.user, in: $0.application.id, at: turn.now, turn.db)
            }
        }
        return .powerAuth()
    }

    private func withOwner<Value>(
        _ request: Request, in turn: Turn, _ body: (Authenticated) throws -> Value
    ) throws -> Value {
        try withDevice(request, refusingAs: .deviceUnverified, in: turn, body)
    }

    private func withMessage<Value>(
        _ request: Request, in turn: Turn, _ body: (InboxMessage) throws -> Value
    ) throws -> Value {
        try withOwner(request, in: turn) { device in
            let id = try Members(ofDevice: request).filledText("id")
            guard let message = try turn.first(InboxMessage.self, where: "id = \(id)") else {
                throw TokenAPIRefusal(.inboxFailed, "There is no inbox message “\(id.prefix(60))”.")
            }
            guard message.user == device.activation.user,
                message.applications.contains(device.application.id)
            else {
                throw TokenAPIRefusal(
                    .inboxFailed,
                    "The inbox message \(id) is for “\(message.user)” in \(message.applications.joined(separator: ", ")), and "
                        + "“\(device.activation.user)” asks in \(device.application.id).")
            }
            return try body(message)
        }
    }
}

extension InboxMessage {
    /// As lists have it, without the body.
    fileprivate var listed: [String: JSONValue] {
        [
            "id": .string(id), "type": .string(format.rawValue), "subject": .string(subject),
            "summary": .string(summary), "read": .boolean(isRead),
            "timestampCreated": .string(Timestamp.text(createdAt, .seconds)),
        ]
    }
}
