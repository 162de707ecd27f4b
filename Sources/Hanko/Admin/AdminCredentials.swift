import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /users/{id}/webauthn_credentials`: passkeys and security keys.
    ///
    /// - Request: nothing.
    /// - Response: `200`, array of ``CredentialOutput``.
    /// - Errors: 400 when the id is no UUID; 404 `user not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminListCredentials(_ request: Request) throws -> Response {
        try .hanko(requireAccount(adminUserParameter(request)).credentials.map(CredentialOutput.init))
    }

    /// `GET /users/{id}/webauthn_credentials/{credential_id}`: one of them.
    ///
    /// - Request: nothing.
    /// - Response: `200`, the ``CredentialOutput``.
    /// - Errors: 400 when the user's id is no UUID; 404 `webauthn credential not found`.
    /// - Source: Hanko 2.7, admin API.
    func adminShowCredential(_ request: Request) throws -> Response {
        let userID = try adminUserParameter(request)
        let credential = try database.read { db in
            try db.requireCredential(request.parameter("credential"), of: userID)
        }
        return try .hanko(CredentialOutput(credential))
    }

    /// `DELETE /users/{id}/webauthn_credentials/{credential_id}`: takes one away.
    ///
    /// - Request: nothing.
    /// - Response: `204`. Webhook `user.update`.
    /// - Errors: 400 when the user's id is no UUID; 404 `webauthn credential not found`.
    /// - Source: Hanko 2.7, admin API; the webhook is *assumed*.
    func adminRemoveCredential(_ request: Request) throws -> Response {
        let userID = try adminUserParameter(request)
        let announcer = try announcer(request)
        try world.change { turn in
            try announcer.remove(credential: request.parameter("credential"), of: userID, in: turn)
        }
        return .noContent
    }
}

extension Announcer {
    func remove(credential id: String, of userID: String, in turn: Turn) throws {
        try turn.delete(turn.db.requireCredential(id, of: userID))
        turn.note(
            "credential deleted", about: userID,
            "The credential \(id) of the user \(userID) was deleted; the device may still offer it.")
        try announce(.userUpdate, userID: userID, in: turn)
    }
}

extension Connection {
    fileprivate func requireCredential(_ id: String, of userID: String) throws -> Credential {
        guard let credential = try credential(id), credential.userID == userID
        else { throw AdminRefusal.credentialUnknown(id, userID: userID) }
        return credential
    }
}
