import Essentials
import HTTP
import PlatformKit
import SQLite

/// The inbox of a user in some applications. Source of all: published behaviour of the PowerAuth Push Server and of its client, which call
/// `read` and `read-all` by POST; its document has them by PUT, with a query.
extension PowerAuth {
    /// `POST /inbox/messages`: leaves a message, and tells nobody.
    ///
    /// - Request: `{"requestObject": {"userId", "type": "text" or "html", "subject", "summary", "body", "applications"}}`; subject and summary
    ///   of 8 to 255 characters, the body of 8 to 65,536.
    /// - Response: `200`, envelope with the message.
    /// - Errors: `ERROR_REQUEST`; `ERROR_APP_NOT_FOUND`.
    func postInboxMessage(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        let owner = try input.text("userId")
        let format = try input.optionalChoice("type", InboxMessage.Format.self)
        if input["type"] == nil { try input.refuse("type", "text or html") }
        let (subject, summary) = (try input.text("subject", 8...255), try input.text("summary", 8...255))
        let body = try input.text("body", 8...65_536)
        let applications = try input.optionalTexts("applications", 3...255) ?? []
        if applications.isEmpty, input.faults.isEmpty { try input.refuse("applications", "a list of ids") }
        try input.check()
        let message = InboxMessage(
            id: services.entropy.uuid(for: "powerauth.inbox"), user: owner,
            applications: applications.unique, format: format ?? .text, subject: subject, summary: summary,
            body: body, createdAt: services.clock.now())
        try change { turn in
            try checkApplications(applications, in: turn.db)
            try turn.insert(message)
        }
        return .management(message.detailed)
    }

    /// `GET /inbox/messages/list?userId=&applications=`: a page of messages, newest first.
    ///
    /// - Request: query `userId`; `applications`, ids with commas between them; `onlyUnread`; `page` from 0; `size`, 100 when left out, at
    ///   most 1000.
    /// - Response: `200`, envelope with `page`, `size` and a list without bodies.
    /// - Errors: `ERROR_APP_NOT_FOUND`; `ERROR_GENERIC` for a query that lacks something.
    func listInboxOfUser(_ request: Request) throws -> Response {
        let user = try pushServerQuery(request, "userId")
        let applications = try pushServerQuery(request, "applications").split(
            separator: ",", omittingEmptySubsequences: false
        ).map(String.init)
        let form = Form(request.query ?? "")
        // Spring takes what is no number for the standard.
        let page = ListPage(
            number: form["page"].flatMap(Int.init).flatMap { ListPage.numbers.contains($0) ? $0 : nil } ?? 0,
            size: form["size"].flatMap(Int.init).flatMap { 1...1000 ~= $0 ? $0 : nil } ?? 100)
        let messages = try database.read { db in
            try checkApplications(applications, in: db)
            return try InboxMessage.page(
                page, of: user, in: applications, onlyUnread: form["onlyUnread"] == "true", db)
        }
        return .powerAuth(
            responseObject: .array(messages.map { .object($0.pushListed) }),
            members: [("page", .integer(page.number)), ("size", .integer(page.size))])
    }

    private func checkApplications(_ ids: [String], in db: Connection) throws {
        for id in ids where try Application.find(id, in: db) == nil {
            throw PushServerRefusal.applicationUnknown(
                id, "Application list contained an app that is not configured in the system.")
        }
    }

    /// `GET /inbox/messages/count?userId=&appId=`: how many are not read.
    ///
    /// - Request: query `userId` and `appId`.
    /// - Response: `200`, envelope with `{"countUnread"}`.
    /// - Errors: `ERROR_APP_NOT_FOUND`; `ERROR_GENERIC` for a query that lacks something.
    func countInboxOfUser(_ request: Request) throws -> Response {
        let user = try pushServerQuery(request, "userId")
        let application = try pushServerQuery(request, "appId")
        let count = try database.read { db in
            try checkInbox(of: application, in: db)
            return try InboxMessage.unreadCount(of: user, in: application, db)
        }
        return .management(["countUnread": .integer(count)])
    }

    private func checkInbox(of application: String, in db: Connection) throws {
        guard try Application.find(application, in: db) != nil else {
            throw PushServerRefusal.applicationUnknown(
                application, "Application was not found: \(application.prefix(255))")
        }
    }

    /// `GET /inbox/messages/detail?id=`: one message with its body; it stays as read or unread as it was.
    ///
    /// - Request: query `id`.
    /// - Response: `200`, envelope with the message.
    /// - Errors: `ERROR_MESSAGE_NOT_FOUND`; `ERROR_GENERIC` for a query that lacks something.
    func showInboxMessageByID(_ request: Request) throws -> Response {
        let id = try pushServerQuery(request, "id")
        return try change {
            .management(try inboxMessage(id, "Unable to fetch message: ", ".", in: $0).detailed)
        }
    }

    private func inboxMessage(
        _ id: String, _ before: String, _ after: String, in turn: Turn
    ) throws -> InboxMessage {
        if let message = try turn.first(InboxMessage.self, where: "id = \(id)") { return message }
        throw PushServerRefusal(
            .messageUnknown, before + id.prefix(255) + after,
            "There is no inbox message “\(id.prefix(60))”.")
    }

    /// `POST /inbox/messages/read`: marks one as read, also when it was.
    ///
    /// - Request: `{"requestObject": {"inboxId"}}`.
    /// - Response: `200`, envelope with the message.
    /// - Errors: `ERROR_REQUEST`; `ERROR_MESSAGE_NOT_FOUND`.
    func markInboxMessageRead(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        let id = try input.text("inboxId")
        try input.check()
        return try change { turn in
            var message = try inboxMessage(id, "Unable to mark message: ", " as read.", in: turn)
            try message.markRead(in: turn)
            return .management(message.detailed)
        }
    }

    /// `POST /inbox/messages/read-all`: marks all as read.
    ///
    /// - Request: `{"requestObject": {"userId", "appId"}}`.
    /// - Response: `200 {"status":"OK"}`.
    /// - Errors: `ERROR_REQUEST`; `ERROR_APP_NOT_FOUND`.
    func markInboxOfUserRead(_ request: Request) throws -> Response {
        let input = try pushServerInput(request)
        let (user, application) = (try input.text("userId"), try input.text("appId"))
        try input.check()
        try change { turn in
            try checkInbox(of: application, in: turn.db)
            try InboxMessage.markAllRead(of: user, in: application, at: turn.now, turn.db)
        }
        return .powerAuth()
    }
}

extension InboxMessage {
    /// As lists of the push server have it, without the body.
    fileprivate var pushListed: [String: JSONValue] {
        [
            "id": .string(id), "type": .string(format.rawValue), "subject": .string(subject),
            "summary": .string(summary), "read": .boolean(isRead),
            "timestampCreated": createdAt.managementTime,
        ]
    }

    fileprivate var detailed: [String: JSONValue] {
        var members = pushListed
        (members["userId"], members["body"]) = (.string(user), .string(body))
        members["timestampRead"] = readAt?.managementTime
        members["applications"] = JSONValue(applications)
        return members
    }
}
