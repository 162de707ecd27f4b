import HTTP

extension Hanko {
    /// The profile with the members that only this endpoint has; where a name occurs in both, this one's wins.
    private struct UserOutput: Encodable {
        let profile: Profile
        let email: String?
        let username: String?
        /// Only where users are told with the members of versions before 0.4.
        let isVerified: Bool?

        enum CodingKeys: String, CodingKey {
            case email, username
            case isVerified = "verified"
            case credentials = "webauthn_credentials"
        }

        func encode(to encoder: any Encoder) throws {
            try profile.encodeCommon(to: encoder)
            var members = encoder.container(keyedBy: CodingKeys.self)
            try members.encodeIfPresent(email, forKey: .email)
            try members.encodeIfPresent(username, forKey: .username)
            try members.encodeIfPresent(isVerified, forKey: .isVerified)
            try members.encode(profile.account.credentials.map(CredentialRow.init), forKey: .credentials)
        }
    }

    /// `GET /users/{id}`: the signed-in user, under the own id only.
    ///
    /// - Request: a session; the id is compared as text.
    /// - Response: `200`, the ``Profile`` with `email`, `username` as text and `webauthn_credentials`; with `full_user_answers` of the
    ///   fixtures also `verified`.
    /// - Errors: 401; 403 for any other id; 404 when the user is gone.
    /// - Source: Hanko 2.7, classic API.
    func showUser(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        let id = request.parameter("id")
        guard id == userID else { throw HankoRefusal.userNotYours(id, signedInAs: userID) }
        guard let account = try account(userID) else { throw HankoRefusal.userGone(userID) }
        let (configuration, email) = (try configuration(), account.primaryEmail)
        return try .hanko(
            UserOutput(
                profile: Profile(account, configuration), email: email?.address,
                username: account.user.username,
                isVerified: configuration.own.tellsFullUsers ? email?.isVerified ?? false : nil))
    }
}

extension Hanko {
    /// `GET /me`: the signed-in user.
    ///
    /// - Request: a session.
    /// - Response: `200`, the ``Profile``.
    /// - Errors: 401; 404 when the user is gone.
    /// - Source: Hanko 2.5 and later; before, only the id was shown.
    func showMe(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        guard let account = try account(userID) else { throw HankoRefusal.userGone(userID) }
        return try .hanko(Profile(account, configuration()))
    }
}

extension Hanko {
    /// `GET /users`: does not exist, although one document of the vendor shows `GET /users?email=…`.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 405 always, since the path exists for POST.
    /// - Source: Hanko 2.7, classic API.
    func listUsers(_ request: Request) throws -> Response { throw HankoRefusal.usersNotListed }
}
