import Essentials
import PlatformKit
import SQLite

/// A message that a back end left for a user.
struct InboxMessage: Record, Equatable {
    static let table: Table = "powerauth_inbox_message"

    enum Format: String, Codable, Sendable, CaseIterable {
        case text
        case html
    }

    /// Version 4 UUID in lower case.
    let id: String
    let user: String
    /// In which applications it is visible.
    let applications: [String]
    var format = Format.text
    let subject: String
    let summary: String
    let body: String
    var isRead = false
    /// Nil also where it was read before the time was kept.
    var readAt: Date?
    let createdAt: Date

    enum CodingKeys: String, CodingKey {
        case id, user, applications, format, subject, summary, body
        case isRead = "is_read"
        case readAt = "read_at"
        case createdAt = "created_at"
    }
}

extension InboxMessage {
    init(from decoder: any Decoder) throws {
        let fields = try decoder.container(keyedBy: CodingKeys.self)
        id = try fields.decode(String.self, forKey: .id)
        user = try fields.decode(String.self, forKey: .user)
        applications = try fields.decode([String].self, forKey: .applications)
        format = try fields.decodeIfPresent(Format.self, forKey: .format) ?? .text
        subject = try fields.decode(String.self, forKey: .subject)
        summary = try fields.decode(String.self, forKey: .summary)
        body = try fields.decode(String.self, forKey: .body)
        isRead = try fields.decodeIfPresent(Bool.self, forKey: .isRead) ?? false
        readAt = try fields.decodeIfPresent(Date.self, forKey: .readAt)
        createdAt = try fields.decode(Date.self, forKey: .createdAt)
    }

    static let migrations: [SQL] = ["ALTER TABLE powerauth_inbox_message ADD COLUMN read_at INTEGER"]

    /// Those of a user that one of the applications shows, newest first.
    ///
    /// - Parameter page: nothing is there behind the last.
    static func page(
        _ page: ListPage, of user: String, in applications: [String], onlyUnread: Bool = false,
        _ db: Connection
    ) throws -> [InboxMessage] {
        try db.all(
            InboxMessage.self,
            where: "\(fragment: shown(to: user, in: applications)) AND (\(!onlyUnread) OR is_read = 0)",
            order: "created_at DESC, position DESC", limit: page.size, offset: page.offset)
    }

    static func unreadCount(of user: String, in application: String, _ db: Connection) throws -> Int {
        try db.count(
            InboxMessage.self, where: "\(fragment: shown(to: user, in: [application])) AND is_read = 0")
    }

    static func markAllRead(
        of user: String, in application: String, at now: Date, _ db: Connection
    ) throws {
        try db.execute(
            """
            UPDATE powerauth_inbox_message SET is_read = 1, read_at = \(now)
            WHERE \(fragment: shown(to: user, in: [application])) AND is_read = 0
            """)
    }

    /// - Parameter applications: at least one.
    private static func shown(to user: String, in applications: [String]) -> SQL {
        """
        user = \(user) AND EXISTS (SELECT 1 FROM json_each(applications) AS shown
        JOIN json_each(\(JSONValue(applications).text)) AS asked ON asked.value = shown.value)
        """
    }

    /// The first time counts.
    mutating func markRead(in turn: Turn) throws {
        if isRead { return }
        (isRead, readAt) = (true, turn.now)
        try turn.update(self, .isRead, .readAt)
    }
}
