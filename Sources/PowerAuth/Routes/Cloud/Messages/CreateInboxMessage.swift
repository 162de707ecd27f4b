import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `POST /v2/inbox/messages`: a message for the inbox of a user, and a push that tells of it.
    ///
    /// - Request: `{"userId", "subject", "summary", "body", "type"?: "text" or "html", "silent"?, "applications"?}`; subject and
    ///   summary of 8 to 255 characters, the body of 8 to 65,536.
    /// - Response: `200` with `id`, `subject`, `summary`, `body`, `type`, `read`, `timestamp`.
    /// - Errors: `ERROR_REQUEST`, `ERROR_INBOX`.
    /// - Source: PowerAuth Cloud documentation, inbox; the limits are the published push server's.
    func createInboxMessage(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let owner = try input.text("userId")
        let subject = try input.text("subject", 8...255)
        let summary = try input.text("summary", 8...255)
        let body = try input.text("body", 8...65_536)
        let format = try input.optionalChoice("type", InboxMessage.Format.self) ?? .text
        let isSilent = try input.optionalBoolean("silent") ?? false
        let applications = try input.optionalTexts("applications") ?? user.applications
        try input.check()
        return try leave(
            InboxMessage(
                id: services.entropy.uuid(for: "powerauth.inbox"), user: owner,
                applications: applications.unique, format: format, subject: subject, summary: summary,
                body: body, createdAt: services.clock.now()), isSilent: isSilent, by: user)
    }

    /// `POST /v2/inbox/{userId}?appId=`: the older form.
    ///
    /// - Request: `{"subject", "body"}`; query `appId`.
    /// - Response: as above; the summary is the subject.
    /// - Errors: `ERROR_REQUEST`, `ERROR_INBOX`.
    /// - Source: PowerAuth Cloud documentation, inbox.
    func createInboxMessageForUser(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let input = try Members(request)
        let subject = try input.text("subject", 8...255)
        let body = try input.text("body", 8...65_536)
        try input.check()
        let application = try request.requireQuery("appId")
        return try leave(
            InboxMessage(
                id: services.entropy.uuid(for: "powerauth.inbox"), user: request.parameter("user"),
                applications: [application], subject: subject, summary: subject, body: body,
                createdAt: services.clock.now()), isSilent: false, by: user)
    }

    private func leave(_ message: InboxMessage, isSilent: Bool, by user: SystemUser) throws -> Response {
        guard !message.applications.isEmpty,
            message.applications.allSatisfy({ user.applications.contains($0) })
        else {
            throw CloudRefusal(
                .inbox, "The message could not be created.",
                "It is for the applications \(message.applications.joined(separator: ", ")); the system user “\(user.name)” has "
                    + "\(user.applications.joined(separator: ", ")).")
        }
        try change { turn in
            try turn.insert(message)
            guard !isSilent else { return }
            var push = PushMessage(user: message.user)
            push.applications = message.applications
            (push.title, push.body) = (message.subject, message.summary)
            push.extras = ["messageType": "mtoken.inboxMessage.new", "inboxId": .string(message.id)]
            try Announcements(world).push(push, isAskedFor: true, in: turn)
        }
        return .flat([
            "id": .string(message.id), "subject": .string(message.subject),
            "summary": .string(message.summary), "body": .string(message.body),
            "type": .string(message.format.rawValue), "read": .boolean(message.isRead),
            "timestamp": message.createdAt.cloudTime,
        ])
    }
}
