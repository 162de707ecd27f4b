import Essentials
import SQLite

/// The messages in the users' inboxes.
struct InboxStore: Sendable {
    static let migrations: [SQL] = [
        """
        CREATE TABLE powerauth_inbox_message (
            position INTEGER PRIMARY KEY,
            id TEXT NOT NULL UNIQUE,
            user TEXT NOT NULL,
            applications TEXT NOT NULL, -- JSON array of texts
            format TEXT NOT NULL,
            subject TEXT NOT NULL,
            summary TEXT NOT NULL,
            body TEXT NOT NULL,
            is_read INTEGER NOT NULL,
            created_at INTEGER NOT NULL -- milliseconds since 1970 UTC
        ) STRICT
        """,
        "CREATE INDEX powerauth_inbox_user ON powerauth_inbox_message (user, created_at)",
    ]

    func find(_ id: String, in db: Connection) throws -> InboxMessage? {
        try db.first(InboxMessage.self, "SELECT * FROM powerauth_inbox_message WHERE id = \(id)")
    }

    /// In the order in which they came.
    func all(in db: Connection) throws -> [InboxMessage] {
        try db.all(InboxMessage.self, "SELECT * FROM powerauth_inbox_message ORDER BY position")
    }

    /// Those of a user that one application shows, newest first.
    ///
    /// - Parameters:
    ///   - page: from 0; nothing is there behind the last.
    ///   - size: messages to a page.
    func page(
        _ page: Int, size: Int, of user: String, in application: String, onlyUnread: Bool = false,
        _ db: Connection
    ) throws -> [InboxMessage] {
        let (offset, isBeyond) = page.multipliedReportingOverflow(by: size)
        if isBeyond { return [] }
        return try db.all(
            InboxMessage.self,
            """
            SELECT * FROM powerauth_inbox_message
            WHERE user = \(user) AND (\(!onlyUnread) OR is_read = 0)
                AND EXISTS (SELECT 1 FROM json_each(applications) WHERE value = \(application))
            ORDER BY created_at DESC, position DESC LIMIT \(size) OFFSET \(offset)
            """)
    }

    func unreadCount(of user: String, in application: String, _ db: Connection) throws -> Int {
        try db.value(
            Int.self,
            """
            SELECT count(*) FROM powerauth_inbox_message
            WHERE user = \(user) AND is_read = 0
                AND EXISTS (SELECT 1 FROM json_each(applications) WHERE value = \(application))
            """) ?? 0
    }

    /// - Throws: `SQLiteError.isUniqueViolation` for an id that is taken.
    func insert(_ message: InboxMessage, in db: Connection) throws {
        try db.execute(
            """
            INSERT INTO powerauth_inbox_message (id, user, applications, format, subject, summary, body, is_read,
                created_at)
            VALUES (\(message.id), \(message.user), \(JSONValue(message.applications).text),
                \(message.format.rawValue), \(message.subject), \(message.summary), \(message.body),
                \(message.isRead), \(message.createdAt))
            """)
    }

    func markRead(_ id: String, in db: Connection) throws {
        try db.execute("UPDATE powerauth_inbox_message SET is_read = 1 WHERE id = \(id)")
    }

    func markAllRead(of user: String, in application: String, _ db: Connection) throws {
        try db.execute(
            """
            UPDATE powerauth_inbox_message SET is_read = 1
            WHERE user = \(user) AND is_read = 0
                AND EXISTS (SELECT 1 FROM json_each(applications) WHERE value = \(application))
            """)
    }
}
