import Essentials
import PlatformKit
import SQLite

/// What Acme's operators see.
struct AcmeEvent: AuditRow {
    static let table = Table("acme_event", key: "position")

    let at: Date
    let what: String
    var whom: String?

    var line: AuditLine {
        AuditLine(at: at, event: what, user: whom, facts: [("door", "front"), ("key", nil)])
    }
}

extension Acme: KeepsAudit {
    static let events: [SQL] = [
        "CREATE TABLE acme_event (position INTEGER PRIMARY KEY, at INTEGER NOT NULL, what TEXT NOT NULL, whom TEXT) STRICT"
    ]

    static var audit: any AuditRow.Type { AcmeEvent.self }
}
