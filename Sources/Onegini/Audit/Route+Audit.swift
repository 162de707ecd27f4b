import HTTP
import OpenID
import PlatformKit
import SQLite

extension Route<Onegini> {
    /// The same, with what it refuses in the audit log. For routes of the authorization server, whose refusals may be ours.
    var audited: Route {
        let route = Route(method, pattern, bodyLimit: bodyLimit) { [handler] onegini in
            // Without a copy of the platform, which is of some size.
            { [audit = onegini.audit, answer = handler(onegini)] request in
                try audit.auditing(request) { try answer(request) }
            }
        }
        return audience.map(route.for) ?? route
    }
}
