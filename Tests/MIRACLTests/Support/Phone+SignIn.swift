import HTTP

extension Phone {
    /// Proves the right PIN for the session that waits.
    func signIn(_ accessID: String) throws -> Response { try authenticate(scope: ["oidc"], wid: accessID) }
}
