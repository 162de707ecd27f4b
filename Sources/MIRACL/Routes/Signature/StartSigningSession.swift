import Essentials
import HTTP
import PlatformKit
import SQLite

extension MIRACL {
    /// `POST /dvs/session`: a back end wants something signed.
    ///
    /// - Request: `{"userID"?, "hash", "description", "projectId"?}`. A `hash` of hexadecimal digits is the one that has to be signed; any
    ///   other text names the document in the back end's own way, and is not compared.
    /// - Response: `200 {"id", "qrURL"}`; the id is what stands behind `#`.
    /// - Errors: `400` for a missing member; `403 FORBIDDEN` for an unknown project.
    /// - Source: ours; how a back end of the original makes one is not public. The members are those of the session's details;
    ///   trust-sdk-ios, integration tests, for a hash that is a UUID.
    func startSigningSession(_ request: Request) throws -> Response {
        let input = try Members(request)
        let project = try projects.require(request, named: input.optionalText("projectId"))
        let (hash, description) = (try input.text("hash"), try input.text("description"))
        let userID = try input.optionalText("userID")
        var session = sessions.makeSession(in: project, request)
        (session.prerollID, session.description, session.hash) = (userID, description, hash)
        try sessions.open(session)
        return .answer([
            "id": .string(session.accessID),
            "qrURL": .string(sessions.qrURL(of: session, request)),
        ])
    }
}
