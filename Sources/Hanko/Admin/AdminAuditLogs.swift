import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /audit_logs`: what was written down, a page at a time, the newest first. Nothing is while `audit_log.storage.enabled`
    /// is false, as it is unless the fixtures say otherwise.
    ///
    /// - Request: query `page`, `per_page` (20, at most 1000), `start_time`, `end_time`, `type` (repeatable), `actor_user_id`,
    ///   `actor_email`, `meta_source_ip`, `q` (a part of one of the three).
    /// - Response: `200`, array of ``AuditOutput``; `X-Total-Count`, `Link`.
    /// - Errors: 400 for a time or a number that is none.
    /// - Source: Hanko 2.7, admin API. The limit of `per_page` is ours.
    func adminListAuditLogs(_ request: Request) throws -> Response {
        let query = request.queryItems
        let page = try ListPage(admin: query)
        let (entries, total) = try entries(AuditSearch(query), page)
        if entries.isEmpty, try !configuration().auditLog.isStored {
            services.journal.event(
                "audit log off", "The audit log is not stored: audit_log.storage.enabled is false.")
        }
        var response = try Response.hanko(entries.map(AuditOutput.init))
        page.describe(total, of: request, in: &response)
        return response
    }
}

/// Which entries are asked for; every condition that is set must hold.
struct AuditSearch: Sendable {
    let start: Date?
    let end: Date?
    /// Nil for all.
    let types: [String]?
    let userID: String?
    let address: String?
    let sourceAddress: String?
    /// Part of address, user id or source address, in lower case.
    let text: String?

    init(_ query: Form) throws {
        start = try Self.time("start_time", in: query)
        end = try Self.time("end_time", in: query)
        let types = query.values(of: "type").filter { !$0.isEmpty }
        self.types = types.isEmpty ? nil : types
        userID = Self.text("actor_user_id", in: query)
        address = Self.text("actor_email", in: query)
        sourceAddress = Self.text("meta_source_ip", in: query)
        text = Self.text("q", in: query)
    }

    private static func text(_ name: String, in query: Form) -> String? {
        query[name].flatMap { $0.isEmpty ? nil : $0.lowercased() }
    }

    private static func time(_ name: String, in query: Form) throws -> Date? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let time = Timestamp.parse(text) else {
            throw AdminRefusal.queryWrong(
                "Expected an RFC 3339 time in “\(name)”, found “\(text.prefix(60))”; a + must come as %2B."
            )
        }
        return time
    }
}

extension Hanko {
    /// A page of those that fit, and how many fit in all.
    private func entries(_ search: AuditSearch, _ page: ListPage) throws -> ([AuditEntry], total: Int) {
        let types = search.types.map { JSONValue($0).text }
        let condition: SQL = """
            (\(search.start) IS NULL OR created_at >= \(search.start))
            AND (\(search.end) IS NULL OR created_at <= \(search.end))
            AND (\(types) IS NULL OR type IN (SELECT value FROM json_each(\(types))))
            AND (\(search.userID) IS NULL OR actor_user_id = \(search.userID))
            AND (\(search.address) IS NULL OR actor_email = \(search.address))
            AND (\(search.sourceAddress) IS NULL OR meta_source_ip = \(search.sourceAddress))
            AND (\(search.text) IS NULL OR instr(lower(meta_source_ip), \(search.text)) > 0
                OR instr(actor_user_id, \(search.text)) > 0 OR instr(actor_email, \(search.text)) > 0)
            """
        return try database.read { db in
            let total = try db.value(
                Int.self, "SELECT count(*) FROM hanko_audit_log WHERE \(fragment: condition)")
            let entries = try db.all(
                AuditEntry.self,
                """
                SELECT * FROM hanko_audit_log WHERE \(fragment: condition)
                ORDER BY position DESC LIMIT \(page.size) OFFSET \(page.offset)
                """)
            return (entries, total ?? 0)
        }
    }
}
