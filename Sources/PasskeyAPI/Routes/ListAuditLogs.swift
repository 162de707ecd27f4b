import Essentials
import HTTP
import PlatformKit
import SQLite

extension PasskeyAPI {
    private struct AuditOutput: Encodable {
        let entry: AuditEntry

        enum CodingKeys: String, CodingKey {
            case updatedAt = "updated_at"
            case transactionID = "transaction_id"
        }

        func encode(to encoder: any Encoder) throws {
            try entry.encode(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            if entry.transactionID == nil { try members.encodeNil(forKey: .transactionID) }
            // An entry never changes.
            try members.encode(entry.createdAt, forKey: .updatedAt)
        }
    }

    /// `GET /{tenant_id}/audit_logs`: what was written down, a page at a time, the newest first.
    ///
    /// - Request: `apiKey`; query `page`, `per_page` (20, at most 1000), `start_time`, `end_time`, `type` (repeatable), `actor_user_id`,
    ///   `meta_source_ip`, `q` (a part of one of the two).
    /// - Response: `200`, array of `{"id", "type", "meta_http_request_id", "meta_source_ip", "meta_user_agent", "actor_user_id"?,
    ///   "created_at", "updated_at", "tenant_id", "transaction_id"}`; `X-Total-Count`, `Link`.
    /// - Errors: `The api key is invalid`; 400 `unable to list audit logs` for a time that is none.
    /// - Source: the vendor's server, audit logs. The limit of `per_page` is ours.
    func listAuditLogs(_ request: Request) throws -> Response {
        let tenant = try tenantOfBackEnd(request)
        let query = request.queryItems
        let page = try ListPage(of: query)
        let condition = try Self.condition(query, of: tenant)
        let (entries, total) = try database.read { db in
            (
                try db.all(
                    AuditEntry.self, where: condition, order: "rowid DESC", limit: page.size,
                    offset: page.offset),
                try db.count(AuditEntry.self, where: condition)
            )
        }
        var response = try Response.passkeyAPI(entries.map(AuditOutput.init))
        page.describe(total, of: request, in: &response)
        return response
    }

    private static func condition(_ query: Form, of tenant: Tenant) throws -> SQL {
        func text(_ name: String) -> String? { query[name].flatMap { $0.isEmpty ? nil : $0 } }
        let (start, end) = (try time("start_time", in: query), try time("end_time", in: query))
        let listed = query.values(of: "type").filter { !$0.isEmpty }
        let types = listed.isEmpty ? nil : JSONValue(listed).text
        let (user, address, part) = (text("actor_user_id"), text("meta_source_ip"), text("q"))
        return """
            tenant_id = \(tenant.id) AND (\(start) IS NULL OR created_at >= \(start))
            AND (\(end) IS NULL OR created_at <= \(end))
            AND (\(types) IS NULL OR type IN (SELECT value FROM json_each(\(types))))
            AND (\(user) IS NULL OR actor_user_id = \(user))
            AND (\(address) IS NULL OR meta_source_ip = \(address))
            AND (\(part) IS NULL OR instr(meta_source_ip, \(part)) > 0 OR instr(actor_user_id, \(part)) > 0)
            """
    }

    private static func time(_ name: String, in query: Form) throws -> Date? {
        guard let text = query[name], !text.isEmpty else { return nil }
        guard let time = Timestamp.parse(text) else {
            throw PasskeyAPIRefusal.queryWrong(
                "Expected an RFC 3339 time in “\(name)”, found “\(text.prefix(60))”; a + must come as %2B.")
        }
        return time
    }
}
