import Essentials
import SQLite

/// A message that a fault holds back until its time has come, by the world's clock.
struct LateMessage: Record {
    static let table = Table("kit_late_message", order: "due_at")

    static let migrations: [SQL] = [
        """
        CREATE TABLE kit_late_message (
            id TEXT PRIMARY KEY,
            due_at INTEGER NOT NULL, -- milliseconds since 1970 UTC
            fault TEXT NOT NULL,
            message TEXT NOT NULL -- JSON
        ) STRICT
        """,
        "CREATE INDEX kit_late_message_due ON kit_late_message (due_at)",
    ]

    let id: String
    let dueAt: Date
    /// The name of the rule.
    let fault: String
    let message: Message

    enum CodingKeys: String, CodingKey {
        case id
        case dueAt = "due_at"
        case fault, message
    }
}
