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
            ipAddress: rules.keepsAddress ? request.peer.address : nil, createdAt: services.clock.now(),
            lifespanSeconds: rules.lifespanSeconds, limit: rules.limit, template: rules.template.claims)
    }

    /// Hands a session over: `X-Session-Lifetime`, and the token either as `X-Auth-Token` or as cookie, never both.
    ///
    /// - Parameter retention: what `X-Session-Retention` says, which flows alone do.
    func hand(
        _ opened: OpenedSession, to response: inout Response, _ configuration: Configuration,
        retention: FlowRetention? = nil
    ) throws {
        let rules = configuration.session
        let token = try issueToken(for: opened, configuration)
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
        note(opened, rules)
    }

    private func note(_ opened: OpenedSession, _ rules: Configuration.Session) {
        let session = opened.session
        services.journal.event(
            "session issued", about: opened.email?.address ?? session.userID,
            "The session \(session.id) of the user \(session.userID) lasts \(rules.lifespanSeconds) s; its token went out as "
                + (rules.usesTokenHeader ? "X-Auth-Token." : "the cookie \(rules.cookie.name)."))
        for old in opened.dropped {
            services.journal.event(
                "session dropped", about: session.userID,
                "The session \(old.id) had to make room: a user has at most \(rules.limit) (session.limit).")
        }
    }
}
