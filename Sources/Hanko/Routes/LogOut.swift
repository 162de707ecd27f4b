import HTTP
import PlatformKit

extension Hanko {
    /// `POST /logout`: ends the session.
    ///
    /// - Request: a session.
    /// - Response: `204`; the session cookie is cleared.
    /// - Errors: 401, which clients take for success.
    /// - Source: Hanko 2.7, public API.
    func logOut(_ request: Request) throws -> Response {
        let session = try requireSession(request).session
        try sessions.delete(session.id)
        services.journal.event(
            "session removed", about: session.userID,
            "The user \(session.userID) signed out of the session \(session.id).")
        try audit(.userLoggedOut, request, userID: session.userID)
        var response = Response.noContent
        response.headers.add("Set-Cookie", try configuration().session.cookie.cleared)
        return response
    }
}
