import Essentials
import HTTP
import PlatformKit

extension MIRACL {
    /// `GET /api/v1/search`: MIRACL's mails of the outbox, as a mail server for tests shows them.
    ///
    /// Where other machines reach the program, it asks for the control token.
    ///
    /// - Request: the query `query`, words such as `from:noreply@example.com`, `to:`, `subject:` and `after:` with seconds since 1970; the
    ///   first three compare parts of texts without case. Other words are looked for in subject and text. `limit`, 50 when left out.
    /// - Response: `200 {"total", "messages_count", "messages": [{"ID", "From", "To", "Subject", "Created", "Snippet"}]}`, the newest
    ///   first.
    /// - Errors: `400` for an `after` that is no number; `401 UNAUTHORIZED` without the control token where it is asked for.
    /// - Source: trust-sdk-android, integration tests, which ask a Mailpit server so.
    func searchMails(_ request: Request) throws -> Response {
        try world.requireDeveloper(request)
        let search = try MailSearch(request.queryItems["query"] ?? "")
        let limit = request.queryItems["limit"].flatMap { Int($0) } ?? 50
        var query = OutboxStore.Query()
        query.limit = Self.searchedMails
        let found = try world.outbox.messages(query).filter {
            $0.message.source == Self.name && search.fits($0)
        }
        return .answer([
            "total": .integer(found.count), "messages_count": .integer(found.count),
            "messages": .array(found.prefix(min(max(limit, 0), 500)).map(\.summary)),
        ])
    }

    /// As many as the outbox keeps.
    private static let searchedMails = 5000

    /// `GET /api/v1/message/{ID}`: one mail.
    ///
    /// - Request: an id as the search has it.
    /// - Response: `200 {"ID", "From", "To", "Subject", "Date", "Text", "HTML"}`.
    /// - Errors: `404 NOT_FOUND`, also for a mail of another platform; `401 UNAUTHORIZED` as above.
    /// - Source: trust-sdk-android, integration tests.
    func showMail(_ request: Request) throws -> Response {
        try world.requireDeveloper(request)
        guard let id = Int(request.parameter("id")), let mail = try world.outbox.message(id),
            mail.message.channel == .mail, mail.message.source == Self.name
        else { throw MailRefusal.unknown(request.parameter("id")) }
        var members = mail.head
        members["Date"] = .string(Timestamp.text(mail.sentAt))
        members["Text"] = .string(mail.message.text)
        members["HTML"] = .string(mail.message.html ?? "")
        return .answer(members)
    }
}

extension Message.Address {
    fileprivate var json: JSONValue { ["Name": .string(name ?? ""), "Address": .string(address)] }
}

extension SentMessage {
    fileprivate var head: [String: JSONValue] {
        [
            "ID": .string(String(id)), "From": message.from.json, "To": [message.to.json],
            "Subject": .string(message.subject),
        ]
    }

    fileprivate var summary: JSONValue {
        .object(
            head.merging([
                "Created": .string(Timestamp.text(sentAt)),
                "Snippet": .string(String(message.text.prefix(250))),
            ]) { $1 })
    }
}

/// Refusals where the outbox is read as a mail server for tests shows it.
struct MailRefusal: MIRACLRefusal, Equatable {
    let wire: MIRACLWire
    let explanation: String

    static func unknown(_ id: String) -> Self {
        Self(
            wire: MIRACLWire(.notFound, "NOT_FOUND", "Not found"),
            explanation: "The outbox of this world has no mail of MIRACL with the ID “\(id.prefix(40))”.")
    }
}
