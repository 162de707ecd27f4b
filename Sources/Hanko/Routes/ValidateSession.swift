import HTTP
import PlatformKit

extension Hanko {
    /// `GET /sessions/validate`: whether the session that comes with the request is good. This does not count as use of it.
    ///
    /// - Request: a session, or none.
    /// - Response: `200`, the ``SessionValidity``, whatever is wrong.
    /// - Errors: none.
    /// - Source: Hanko 2.7, public API.
    func validateSession(_ request: Request) throws -> Response {
        do {
            return try .hanko(validity(of: sessionReader(request).presented(by: request), touching: false))
        } catch let refusal as SessionRefusal {
            return try invalid(refusal)
        }
    }

    private func validity(of presented: PresentedSession, touching: Bool) throws -> SessionValidity {
        let accepted = try world.change { turn in try turn.accepting(presented, touching: touching) { $0 } }
        return SessionValidity(
            accepted, idleTimeoutSeconds: try configuration().session.idleTimeoutSeconds)
    }

    /// The answer says no more than false; the journal says why.
    private func invalid(_ refusal: SessionRefusal) throws -> Response {
        services.journal.event(
            "session not valid", "The answer is is_valid false. " + refusal.explanation)
        return try .hanko(SessionValidity.invalid)
    }
}

extension Hanko {
    /// `POST /sessions/validate`: whether a session token is good, for back ends. This counts as use of the session.
    ///
    /// - Request: `{"session_token": "<jwt>"}`.
    /// - Response: `200`, the ``SessionValidity``, whatever is wrong with the token.
    /// - Errors: 400 when there is none.
    /// - Source: Hanko 2.7, public API.
    func validateSessionToken(_ request: Request) throws -> Response {
        var check = Validation()
        let token = check.required("session_token", try request.members().optionalText("session_token"))
        try check.finish(isWrapped: true)
        do {
            return try .hanko(validity(of: sessionReader(request).presented(token: token), touching: true))
        } catch let refusal as SessionRefusal {
            return try invalid(refusal)
        }
    }
}

extension Hanko {
    /// `POST /logout`: ends the session.
    ///
    /// - Request: a session.
    /// - Response: `204`; the session cookie is cleared.
    /// - Errors: 401, which clients take for success.
    /// - Source: Hanko 2.7, public API.
    func logOut(_ request: Request) throws -> Response {
        let announcer = try announcer(request)
        try change(for: request) { turn, accepted in
            let session = accepted.session
            try turn.delete(session)
            try announcer.announce(.sessionDeleteExplicitLogout, session, in: turn)
            turn.note(
                "session removed", about: session.userID,
                "The user \(session.userID) signed out of the session \(session.id).")
            try announcer.audit(.userLoggedOut, userID: session.userID, in: turn)
        }
        var response = Response.noContent
        response.headers.add("Set-Cookie", try configuration().session.cookie.cleared)
        return response
    }
}
