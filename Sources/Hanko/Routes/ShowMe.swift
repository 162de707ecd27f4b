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
        guard let (user, emails) = try users.userWithEmails(userID) else { throw HankoError.userGone(userID) }
        return try .hanko(Profile(user, emails: emails, configuration: configuration()))
    }
}
