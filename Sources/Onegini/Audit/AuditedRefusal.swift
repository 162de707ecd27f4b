import HTTP
import OpenID
import PlatformKit
import SQLite

/// A refusal that stands in the audit log as well.
protocol AuditedRefusal: OAuthRefusal {
    var event: EventType? { get }
}

extension Onegini {
    /// Runs `body`; what it refuses is written into the audit log, and thrown on.
    func auditing<Value>(
        _ request: Request, clientID: String? = nil, subject: String? = nil, application: String? = nil,
        _ body: () throws -> Value
    ) throws -> Value {
        do {
            return try body()
        } catch let refusal as any AuditedRefusal {
            if let type = refusal.event {
                let event = Event(
                    type, clientID: clientID, subject: subject, application: application, request, services)
                try world.change { turn in try turn.insert(event) }
            }
            throw refusal
        }
    }
}

extension Route<Onegini> {
    /// The same, with what it refuses in the audit log. For routes of the authorization server, whose refusals may be ours.
    var audited: Route {
        Route(method, pattern, bodyLimit: bodyLimit) { [handler] onegini in
            { request in try onegini.auditing(request) { try handler(onegini)(request) } }
        }
    }
}
