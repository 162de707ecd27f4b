import Essentials
import HTTP
import PlatformKit

extension Console {
    struct AuditOutput: Encodable {
        let audit: [AuditLineJSON]
    }

    /// `GET /audit?platform=&user=&event=&limit=`: what the audit logs of the platforms tell, newest first.
    ///
    /// - Response: `200 {"audit": [{"platform", "at", "event", "user"?, "client"?, "address"?, "facts": [{"name", "value"}]}]}`.
    /// - Errors: 400 for a platform that keeps none.
    func listAudit(_ world: World, _ request: Request) throws -> Response {
        let parameters = try Parameters(request, "platform", "user", "event", "limit")
        var query = AuditQuery()
        query.platform = parameters.text("platform")
        query.user = parameters.text("user")
        query.event = try parameters.search("event")
        query.limit = try parameters.limit()
        let keepers = info.platforms.filter { $0 is any KeepsAudit.Type }
        if let platform = query.platform, !keepers.contains(where: { $0.name == platform }) {
            throw ControlError.parameter(
                "platform", expected: "one of " + keepers.map { $0.name }.sorted().joined(separator: ", "),
                given: "“\(platform)”")
        }
        return try .json(AuditOutput(audit: audit(query, in: world).map(AuditLineJSON.init)))
    }

    /// The newest lines of all logs.
    func audit(_ query: AuditQuery, in world: World) throws -> [AuditLine] {
        let lines = try info.platforms.filter { query.platform ?? $0.name == $0.name }.flatMap {
            try world.ask($0, (any KeepsAudit).self)?
                .auditLines(query.limit, user: query.user, event: query.event) ?? []
        }
        return Array(lines.newestFirst(by: \.at).prefix(query.limit))
    }
}

/// Which lines are meant; every condition that is set must hold.
struct AuditQuery {
    var platform: String?
    var user: String?
    /// Part of the event's name.
    var event: TextSearch?
    var limit = 200
}

/// A line of an audit log, as the API gives it.
struct AuditLineJSON: Encodable {
    let platform: String
    let at: String
    let event: String
    let user: String?
    let client: String?
    let address: String?
    let facts: [FactJSON]

    init(_ line: AuditLine) {
        (platform, at, event) = (line.platform, Timestamp.text(line.at), line.event)
        (user, client, address) = (line.user, line.client, line.address)
        facts = line.facts.map(FactJSON.init)
    }
}
