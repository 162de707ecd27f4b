import Crypto
package import Essentials
package import HTTP
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// A login that just happened.
    package struct Login: Sendable {
        package let session: BrowserSession
        /// `Set-Cookie` lines.
        package let cookies: [String]
    }

    /// Logs a user in: the same session again for the same user, a new one for another, whose session in this browser ends.
    ///
    /// - Parameters:
    ///   - amr: how. Source: RFC 8176 §2.
    ///   - interaction: the conversation that asked for it.
    ///   - claims: typed at the login, over those of the user.
    package func logIn(
        _ user: User, amr: [String], for interaction: [UInt8]?, claims: [String: JSONValue] = [:],
        _ request: Request
    ) throws -> Login {
        let cookie = Hex.encode(bytes(32, for: "session"))
        var fresh = try freshSession(user, cookie, amr, request)
        fresh.loginClaims = claims
        let outcome = try world.change { turn -> (session: BrowserSession, notices: [LogoutNotice]) in
            let before = try self.session(request, in: turn.db)
            var (session, notices) = (fresh, [LogoutNotice]())
            if let before, before.subject == user.subject {
                // Another cookie, another time, the same `sid`.
                (session.id, session.browserState) = (before.id, before.browserState)
                session.clients = before.clients
                try turn.update(session)
            } else {
                if let before { notices = try end(before, in: turn.db).backChannel }
                try sessions.begin(session, at: now, in: turn.db)
            }
            if let interaction {
                try interactions.change(interaction, in: turn.db) {
                    ($0.loginSession, $0.consentSession) = (session.id, nil)
                }
            }
            return (session, notices)
        }
        try send(outcome.notices)
        services.journal.event(
            "logged in", about: user.subject,
            "\(user.displayName) logged in at the pages of \(profile.title).")
        let seconds = fresh.expiresAt.seconds(since: fresh.authenticatedAt)
        let jar = cookies(request)
        return Login(
            session: outcome.session,
            cookies: [
                jar.setSession(cookie, seconds: seconds),
                jar.setState(outcome.session.browserState, seconds: seconds),
            ])
    }

    private func freshSession(
        _ user: User, _ cookie: String, _ amr: [String], _ request: Request
    ) throws -> BrowserSession {
        let settings = try database.read { db in try browserSettings(in: db) }
        let now = now
        return BrowserSession(
            id: uuid(for: "session.id"), digest: Handle.digest(cookie), subject: user.subject,
            authenticatedAt: now, acr: settings.reachedACRs.first, amr: amr,
            browserState: Hex.encode(bytes(16, for: "session.state")),
            userAgent: request.headers["User-Agent"] ?? "", ipAddress: request.peer.address, lastUsedAt: now,
            expiresAt: now.addingTimeInterval(Double(settings.sessionSeconds)))
    }
}
