import Essentials
import HTTP
import PlatformKit

extension MIRACL {
    /// `POST /rps/v2/session`: a page or a back end opens a session without OpenID Connect: to sign in, or to have something signed.
    ///
    /// - Request: `{"projectId", "userId"?, "description"?, "hash"?}`; with the last two it is a signature's.
    /// - Response: `200 {"webOTT", "accessId", "accessURL", "qrURL"}`.
    /// - Errors: `403 FORBIDDEN` for an unknown project.
    /// - Source: client-js 8; trust-sdk-android, integration tests.
    func startSession(_ request: Request) throws -> Response {
        let input = try Members(request)
        let project = try projects.require(request, named: input.optionalText("projectId"))
        var session = sessions.makeSession(in: project, request)
        session.prerollID = try input.optionalText("userId")
        session.description = try input.optionalText("description")
        session.hash = try input.optionalText("hash")
        try sessions.open(session)
        return sessions.answer(session, request)
    }
}
