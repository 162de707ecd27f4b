import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

extension Onegini {
    /// `GET /api/v1/events`: what happened, the newest first.
    ///
    /// - Request: credentials of an API client with `onegini_api_events`; query `page` (0), `size` (20, at most 1000), `user_id`,
    ///   `client_id`, `event_type` and `exclude_event_type` (both repeatable), `transaction_id`, `start_date` and `end_date` in
    ///   milliseconds, `end_date_exclusive`.
    /// - Response: `200 {"result_set":[{event_identifier, event_name, event_type, client_id, app_name, transaction_id, user_id,
    ///   client_ip, user_agent, event_agent_user, occurred}], "pagination":{…}}`; null for what an event does not have.
    /// - Errors: 400 `invalid_request`; 401; 403 `insufficient_scope`.
    /// - Source: Token Server documentation, events API.
    func listEvents(_ request: Request) throws -> Response {
        try access.require(request, scope: "onegini_api_events", denial: "insufficient_scope")
        let query = try EventQuery(Form(request.query ?? ""))
        let (listed, total) = try database.read { db in
            let (found, total) = try db.events(query)
            var names: [String: String?] = [:]
            for id in Set(found.compactMap(\.clientID)) {
                names[id] =
                    try db.device(id)?.application ?? server.clients.find(id, in: db)?.name
            }
            return (found.map { $0.json(clientName: $0.clientID.flatMap { names[$0] ?? nil }) }, total)
        }
        let pages = EventPages(total: total, page: query.page)
        return .management(["result_set": .array(listed), "pagination": pages.json])
    }
}

extension Event {
    fileprivate func json(clientName: String?) -> JSONValue {
        func text(_ value: String?) -> JSONValue { value.map(JSONValue.string) ?? .null }
        return [
            "event_identifier": .string(id),
            "event_name": .string(type.title),
            "event_type": .string(type.rawValue),
            "client_id": text(clientID),
            "app_name": text(application ?? clientName),
            "transaction_id": text(transactionID),
            "user_id": text(subject),
            "client_ip": text(address),
            "user_agent": text(userAgent),
            "event_agent_user": .null,
            "occurred": .integer(at.unixMilliseconds),
        ]
    }
}

extension EventType {
    /// For people: “Token introspection success”.
    fileprivate var title: String {
        let words = rawValue.lowercased().map { $0 == "_" ? " " : $0 }
        return String(words.prefix(1)).uppercased() + String(words.dropFirst())
    }
}
