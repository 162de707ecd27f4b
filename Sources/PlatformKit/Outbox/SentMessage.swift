package import Essentials
package import SQLite

/// A message as the outbox keeps it.
package struct SentMessage: Sendable, Equatable {
    /// Grows with every message of the world, never reused.
    package let id: Int
    /// By the world's clock.
    package let sentAt: Date
    package let message: Message
    /// When its code or link was used up; nil as long as it was not.
    package var usedAt: Date?
}

/// A message with its source.
package struct Letter: Sendable, Equatable {
    package let sent: SentMessage
    /// RFC 5322, lines ending in CR LF. Of a mail that somebody brought, what came; for text messages and pushes a mail-like
    /// rendering of them.
    package let raw: [UInt8]
}

extension Letter: RowDecodable {
    package init(row: Row) throws {
        sent = try SentMessage(row: row)
        raw = try row.blob("raw")
    }
}

extension SentMessage: RowDecodable {
    package init(row: Row) throws {
        id = try row.integer("id")
        sentAt = try row.date("sent_at")
        message = Message(
            Message.Channel(rawValue: try row.text("channel")) ?? .mail,
            kind: try row.text("kind"),
            from: Message.Address(try row.text("sender_address"), name: try row.optionalText("sender_name")),
            to: Message.Address(
                try row.text("recipient_address"), name: try row.optionalText("recipient_name")),
            subject: try row.text("subject"),
            text: try row.text("plain"),
            html: try row.optionalText("html"),
            code: try row.optionalText("code"),
            link: try row.optionalText("link"),
            expiresAt: try row.optionalDate("expires_at"),
            source: try row.text("source"))
        usedAt = try row.optionalDate("used_at")
    }
}
