import HTTP
import PlatformKit

extension Hanko {
    private struct CredentialNameInput: Decodable {
        let name: String?
    }

    /// `PATCH /webauthn/credentials/{id}`: gives a credential of the signed-in user a name.
    ///
    /// - Request: a session and `{"name": "…"}`; without a name nothing changes.
    /// - Response: `200` without a body.
    /// - Errors: 404 while passkeys are off; 401; 415; 400; 404 when the credential is not the user's.
    /// - Source: Hanko 2.7, classic API.
    func renameCredential(_ request: Request) throws -> Response {
        try requirePasskeys(configuration())
        let userID = try requireSession(request).session.userID
        let id = request.parameter("id")
        let name = try request.input(CredentialNameInput.self).name
        try accounts.renameCredential(id, of: userID, to: name, at: services.clock.now())
        services.journal.event(
            "credential updated", about: userID,
            "The credential \(id) of the user \(userID) "
                + (name.map { "is called \"\($0.prefix(100))\" now." } ?? "keeps its name, since none came."))
        try audit(.webauthnCredentialUpdated, request, userID: userID)
        return Response(status: .ok)
    }
}
