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
            return try .hanko(validity(of: presentedSession(request, touching: false)))
        } catch let refused as SessionsRefused {
            noteInvalid(refused.faults)
            return try .hanko(SessionValidity.invalid)
        }
    }

    func validity(of accepted: AcceptedSession) throws -> SessionValidity {
        SessionValidity(accepted, idleTimeoutSeconds: try configuration().session.idleTimeoutSeconds)
    }

    /// The answer says no more than false; the journal says why.
    func noteInvalid(_ faults: [SessionRefusal]) {
        services.journal.event(
            "session not valid",
            "The answer is is_valid false. " + faults.map(\.explanation).joined(separator: " "))
    }
}

extension Hanko {
    private struct TokenInput: Decodable {
        let token: String?

        enum CodingKeys: String, CodingKey {
            case token = "session_token"
        }
    }

    /// `POST /sessions/validate`: whether a session token is good, for back ends. This counts as use of the session.
    ///
    /// - Request: `{"session_token": "<jwt>"}`.
    /// - Response: `200`, the ``SessionValidity``, whatever is wrong with the token.
    /// - Errors: 400 when there is none.
    /// - Source: Hanko 2.7, public API.
    func validateSessionToken(_ request: Request) throws -> Response {
        guard let token = try request.input(TokenInput.self).token, !token.isEmpty else {
            throw HankoRefusal.invalid(
                [Violation(field: "session_token", rule: .required, value: "")], isWrapped: true)
        }
        do {
            return try .hanko(validity(of: acceptedSession(token, touching: true)))
        } catch let fault as SessionRefusal {
            noteInvalid([fault])
            return try .hanko(SessionValidity.invalid)
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
        let session = try requireSession(request).session
        try world.change { try $0.delete(session) }
        services.journal.event(
            "session removed", about: session.userID,
            "The user \(session.userID) signed out of the session \(session.id).")
        try audit(.userLoggedOut, request, userID: session.userID)
        var response = Response.noContent
        response.headers.add("Set-Cookie", try configuration().session.cookie.cleared)
        return response
    }
}
