import Essentials
import SQLite

/// A message that a back end left for a user.
struct InboxMessage: Sendable, Equatable, RowDecodable {
    enum Format: String, Codable, Sendable, CaseIterable {
        case text
        case html
    }

    /// Version 4 UUID in lower case.
    let id: String
    let user: String
    /// In which applications it is visible.
    let applications: [String]
    let format: Format
    let subject: String
    let summary: String
    let body: String
    var isRead: Bool
    let createdAt: Date

    init(
        id: String, user: String, applications: [String], format: Format = .text, subject: String,
        summary: String, body: String, isRead: Bool = false, createdAt: Date
    ) {
        (self.id, self.user, self.applications, self.format) = (id, user, applications, format)
        (self.subject, self.summary, self.body) = (subject, summary, body)
        (self.isRead, self.createdAt) = (isRead, createdAt)
    }

    init(row: Row) throws {
        guard let format = Format(rawValue: try row.text("format")) else {
            throw StoredValueUnknown(table: "powerauth_inbox_message", id: try row.text("id"))
        }
        self.init(
            id: try row.text("id"), user: try row.text("user"), applications: try row.strings("applications"),
            format: format, subject: try row.text("subject"), summary: try row.text("summary"),
            body: try row.text("body"), isRead: try row.boolean("is_read"),
            createdAt: try row.date("created_at"))
    }
}
