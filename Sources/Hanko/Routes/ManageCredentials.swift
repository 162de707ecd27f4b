import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `PATCH /webauthn/credentials/{id}`: gives a credential of the signed-in user a name.
    ///
    /// - Request: a session and `{"name": "…"}`; without a name nothing changes.
    /// - Response: `200` without a body.
    /// - Errors: 404 while passkeys are off; 401; 415; 400; 404 when the credential is not the user's.
    /// - Source: Hanko 2.7, classic API.
    func renameCredential(_ request: Request) throws -> Response {
        try requirePasskeys(configuration())
        let announcer = try announcer(request)
        try change(for: request) { turn, accepted in
            let (id, userID) = (request.parameter("id"), accepted.session.userID)
            let name = try request.members().optionalText("name")
            var credential = try turn.db.ownCredential(id, of: userID)
            credential.name = name ?? credential.name
            credential.updatedAt = turn.now
            try turn.update(credential)
            turn.note(
                "credential updated", about: userID,
                "The credential \(id) of the user \(userID) "
                    + (name.map { "is called “\($0.prefix(100))” now." }
                        ?? "keeps its name, since none came.")
            )
            try announcer.audit(.webauthnCredentialUpdated, userID: userID, in: turn)
        }
        return Response(status: .ok)
    }
}

extension Hanko {
    /// `DELETE /webauthn/credentials/{id}`: removes a credential of the signed-in user, also the last one.
    ///
    /// - Request: a session.
    /// - Response: `204`. The published description says 201.
    /// - Errors: 404 while passkeys are off; 401; 404 when the credential is not the user's.
    /// - Source: Hanko 2.7, classic API.
    func removeCredential(_ request: Request) throws -> Response {
        try requirePasskeys(configuration())
        let announcer = try announcer(request)
        try change(for: request) { turn, accepted in
            let (id, userID) = (request.parameter("id"), accepted.session.userID)
            try turn.delete(turn.db.ownCredential(id, of: userID))
            turn.note(
                "credential removed", about: userID,
                "The user \(userID) has the credential \(id) no more; the device keeps offering it until it is deleted there too."
            )
            try announcer.audit(.webauthnCredentialDeleted, userID: userID, in: turn)
        }
        return .noContent
    }
}

extension Connection {
    func ownCredential(_ id: String, of userID: String) throws -> Credential {
        guard let credential = try credential(id), credential.userID == userID else {
            throw PasskeyRefusal.credentialNotYours(id)
        }
        return credential
    }
}

extension Hanko {
    /// `GET /webauthn/credentials`: the passkeys and security keys of the signed-in user.
    ///
    /// - Request: a session.
    /// - Response: `200`, an array of ``CredentialOutput``, empty when there are none.
    /// - Errors: 404 while passkeys are off; 401.
    /// - Source: Hanko 2.7, classic API.
    func listCredentials(_ request: Request) throws -> Response {
        try requirePasskeys(configuration())
        let userID = try requireSession(request).session.userID
        return try .hanko((account(userID)?.credentials ?? []).map(CredentialOutput.init))
    }
}
