import Essentials

/// An inbox message in a fixture file.
struct InboxMessageFixture: Codable, Sendable {
    var id: String
    var user: String
    var applications: [String]
    /// `text` when left out.
    var format: InboxMessage.Format?
    var subject: String
    var summary: String
    var body: String
    var isRead: Bool?
    var createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, user, applications, format, subject, summary, body
        case isRead = "is_read"
        case createdAt = "created_at"
    }
}
