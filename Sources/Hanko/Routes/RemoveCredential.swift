import HTTP
import PlatformKit

extension Hanko {
    /// `DELETE /webauthn/credentials/{id}`: removes a credential of the signed-in user, also the last one.
    ///
    /// - Request: a session.
    /// - Response: `204`. The published description says 201.
    /// - Errors: 404 while passkeys are off; 401; 404 when the credential is not the user's.
    /// - Source: Hanko 2.7, classic API.
    func removeCredential(_ request: Request) throws -> Response {
        try requirePasskeys(configuration())
        let userID = try requireSession(request).session.userID
        let id = request.parameter("id")
        try accounts.removeCredential(id, of: userID)
        services.journal.event(
            "credential removed", about: userID,
            "The user \(userID) has the credential \(id) no more; the device keeps offering it until it is deleted there too."
        )
        try audit(.webauthnCredentialDeleted, request, userID: userID)
        return .noContent
    }
}
