import HTTP

extension Hanko {
    /// `GET /me`: the signed-in user.
    ///
    /// - Request: a session.
    /// - Response: `200`, the ``Profile``.
    /// - Errors: 401; 404 when the user is gone.
    /// - Source: Hanko 2.5 and later; before, only the id was shown.
    func showMe(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        guard let account = try accounts.account(userID) else { throw HankoError.userGone(userID) }
        return try .hanko(Profile(account, configuration()))
    }
}
