import Crypto
import Essentials
import HTTP
import SQLite

extension MIRACL {
    /// `POST /dvs/session`: a back end wants something signed.
    ///
    /// - Request: `{"userID"?, "hash": hexadecimal, "description", "projectId"?}`.
    /// - Response: `200 {"id", "qrURL"}`; the id is what stands behind `#`.
    /// - Errors: `400` for a missing member or a hash that is not hexadecimal; `403 FORBIDDEN` for an unknown project.
    /// - Source: ours; how a back end of the original makes one is not public. The members are those of the session's details.
    func startSigningSession(_ request: Request) throws -> Response {
        let input = try Members(request)
        let project = try requireProject(request, named: input.optionalText("projectId"))
        let (hash, description) = (try input.text("hash"), try input.text("description"))
        try hash.requireHex("hash")
        let userID = try input.optionalText("userID")
        let session = AccessSession(
            accessID: token(for: "access_id"), webOTT: token(for: "web_ott"), projectID: project.id,
            prerollID: userID, description: description, hash: hash, createdAt: now,
            expiresAt: time(in: project.sessionSeconds))
        try database.write { db in
            try sessions.tidy(at: now, in: db)
            try sessions.insert(session, in: db)
        }
        return .answer([
            "id": .string(session.accessID),
            "qrURL": .string(request.baseURL + "/mobile-login/#" + session.accessID),
        ])
    }
}

extension String {
    /// - Throws: ``RequestRefusal`` with the member's name.
    func requireHex(_ name: String) throws {
        do {
            _ = try Hex.bytes(ofText: self)
        } catch {
            throw RequestRefusal.memberMalformed(name, error.explanation)
        }
    }
}
