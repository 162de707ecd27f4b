package import Essentials
package import SQLite

/// A row of a platform's audit log. Every vendor has columns and words of its own; what all of them tell, an ``AuditLine`` says.
package protocol AuditRow: Record {
    var line: AuditLine { get }
}

/// Something that happened, as the audit log of a platform tells it.
package struct AuditLine: Sendable, Equatable {
    /// Name of the platform whose log it stands in; ``KeepsAudit`` says it.
    package var platform = ""
    /// By the world's clock.
    package let at: Date
    /// As the platform spells it: `authenticate_success`.
    package let event: String
    /// Whom it is about, as the platform knows people; nil where the log does not tell.
    package let user: String?
    /// The client or the application.
    package let client: String?
    /// Numeric address of the caller.
    package let address: String?
    /// What else the log tells.
    package let facts: [ConsoleRecord.Fact]

    package init(
        at: Date, event: String, user: String? = nil, client: String? = nil, address: String? = nil,
        facts: [(String, String?)] = []
    ) {
        (self.at, self.event, self.user, self.client, self.address) = (at, event, user, client, address)
        self.facts = facts.compactMap { name, value in value.map { .init(name, $0) } }
    }
}

/// Keeps an audit log, which the real service shows to its operators.
package protocol KeepsAudit: Section {
    static var audit: any AuditRow.Type { get }
}

extension KeepsAudit {
    /// The newest of the log, newest first.
    ///
    /// - Parameters:
    ///   - user: only lines about this user.
    ///   - event: only lines whose event contains this, without regard to case.
    package func auditLines(_ limit: Int, user: String? = nil, event: TextSearch? = nil) throws -> [AuditLine]
    {
        try database.read { db in try Self.lines(Self.audit, limit, user, event, in: db) }
    }

    /// Rows come in the order in which they were written: time may go backwards when a clock is moved.
    private static func lines<Row: AuditRow>(
        _: Row.Type, _ limit: Int, _ user: String?, _ event: TextSearch?, in db: Connection
    ) throws -> [AuditLine] {
        let isWhole = user == nil && event == nil
        let rows = try db.all(Row.self, order: "rowid DESC", limit: isWhole ? limit : nil)
        return rows.lazy.map { row in
            var line = row.line
            line.platform = name
            return line
        }.filter { line in
            (user.map { $0 == line.user } ?? true) && (event.map { $0.isIn(line.event) } ?? true)
        }.prefix(limit).map { $0 }
    }
}
