import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    private struct TokenOutput: Encodable {
        let token: String

        enum CodingKeys: String, CodingKey { case token = "session_token" }
    }

    /// Characters of a user agent that are kept; ours.
    private static let userAgentLimit = 1000

    /// `GET /users/{id}/sessions`: sessions that are open, the newest first.
    ///
    /// - Request: nothing.
    /// - Response: `200`, array of ``AdminSession``.
    /// - Errors: 400 when the id is no UUID; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminListSessions(_ request: Request) throws -> Response {
        let userID = try adminUserParameter(request)
        let sessions = try database.read { db in
            _ = try db.requireUser(userID)
            return try db.activeSessions(of: userID, at: services.clock.now())
        }
        return try .hanko(sessions.map(AdminSession.init))
    }

    /// `DELETE /users/{id}/sessions/{session_id}`: ends a session.
    ///
    /// - Request: nothing.
    /// - Response: `204`.
    /// - Errors: 400; 404 when it is not the user's.
    /// - Source: Hanko 2.7, admin API.
    func adminRemoveSession(_ request: Request) throws -> Response {
        let ids = try adminIDs(request, ["user_id": "id", "session_id": "session"])
        let announcer = try announcer(request)
        try world.change { turn in
            let session = try turn.remove(session: ids[1], of: ids[0])
            try announcer.announce(.sessionDeleteAdminRevoke, session, in: turn)
        }
        return .noContent
    }

    /// `POST /sessions`: a session for a user, without any login: what tests want.
    ///
    /// - Request: `{"user_id": uuid, "ip_address"?, "user_agent"?}`.
    /// - Response: `200 {"session_token": jwt}`: stored and good, with the claim `username` where there is one.
    /// - Errors: 400; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminCreateSession(_ request: Request) throws -> Response {
        let input = try request.members()
        let userAgent = try input.optionalText("user_agent") ?? ""
        var check = Validation()
        let userID = check.required("user_id", try input.optionalText("user_id"), .uuid)
        let address = check.optional("ip_address", try input.optionalText("ip_address"), .ip)
        try check.finish(isWrapped: true)
        let configuration = try configuration()
        let new = NewSession(
            id: services.entropy.uuid(for: "hanko.session"),
            userAgent: userAgent.isEmpty ? nil : String(userAgent.prefix(Self.userAgentLimit)),
            ipAddress: address, createdAt: services.clock.now(),
            lifespanSeconds: configuration.session.lifespanSeconds, limit: configuration.session.limit,
            template: configuration.session.template.claims)
        let announcer = try announcer(request)
        let opened = try world.change { turn in
            let user = try turn.db.requireUser(userID)
            var opened = try turn.db.open(new, for: userID)
            opened.username = user.username
            try announcer.announce(.sessionCreateAdmin, opening: opened, in: turn)
            turn.note(
                "session issued", about: opened.email?.address ?? userID,
                "The session \(new.id) of the user \(userID) was created by the admin API and lasts \(new.lifespanSeconds) s."
            )
            return opened
        }
        return try .hanko(TokenOutput(token: tokens.issue(for: opened, configuration)))
    }
}

extension Turn {
    func remove(session id: String, of userID: String) throws -> Session {
        let session = try take(Session.self, where: "id = \(id) AND user_id = \(userID)")
        guard let session else { throw AdminRefusal.sessionUnknown(id, userID: userID) }
        note(
            "session removed", about: userID,
            "The session \(id) of the user \(userID) was ended from outside; its token is refused from now on."
        )
        return session
    }
}
