import HTTP

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
        return try .hanko((accounts.account(userID)?.credentials ?? []).map(CredentialOutput.init))
    }
}
