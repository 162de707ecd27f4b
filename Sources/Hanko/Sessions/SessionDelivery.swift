import Essentials
import HTTP
import PlatformKit

extension Hanko {
    /// A session for whoever sends `request`.
    func newSession(_ request: Request, _ configuration: Configuration) -> NewSession {
        let rules = configuration.session
        return NewSession(
            id: services.entropy.uuid(for: "hanko.session"),
            userAgent: rules.keepsUserAgent ? request.headers["User-Agent"] : nil,
            ipAddress: rules.keepsAddress ? configuration.address(of: request) : nil,
            createdAt: services.clock.now(),
            lifespanSeconds: rules.lifespanSeconds, limit: rules.limit, template: rules.template.claims,
            carrier: rules.usesTokenHeader ? "X-Auth-Token" : "the cookie \(rules.cookie.name)")
    }

    /// Hands a session over: `X-Session-Lifetime`, and the token either as `X-Auth-Token` or as cookie, never both.
    ///
    /// - Parameter retention: what `X-Session-Retention` says, which flows alone do.
    func hand(
        _ opened: OpenedSession, to response: inout Response, _ configuration: Configuration,
        retention: FlowRetention? = nil
    ) throws {
        let rules = configuration.session
        let token = try tokens.issue(for: opened, configuration)
        response.headers["X-Session-Lifetime"] = String(rules.lifespanSeconds)
        response.headers["X-Session-Retention"] = retention?.rawValue
        if rules.usesTokenHeader {
            response.headers["X-Auth-Token"] = token
        } else {
            response.headers.add(
                "Set-Cookie",
                rules.cookie.carrying(
                    token, lifespanSeconds: rules.lifespanSeconds,
                    isPersistent: retention.map { $0 == .persistent }))
        }
    }
}

extension Turn {
    /// Opens a session, and tells of it.
    func open(_ new: NewSession, for userID: String) throws -> OpenedSession {
        let opened = try db.open(new, for: userID)
        issued(new.id)
        note(
            "session issued", about: opened.email?.address ?? userID,
            "The session \(new.id) of the user \(userID) lasts \(new.lifespanSeconds) s; its token goes out as "
                + "\(new.carrier).")
        for old in opened.dropped {
            note(
                "session dropped", about: userID,
                "The session \(old.id) had to make room: a user has at most \(new.limit) (session.limit).")
        }
        return opened
    }
}
