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
        guard id == userID else { throw HankoError.userNotYours(id, signedInAs: userID) }
        guard let account = try accounts.account(userID) else { throw HankoError.userGone(userID) }
        let (configuration, email) = (try configuration(), account.primaryEmail)
        return try .hanko(
            UserOutput(
                profile: Profile(account, configuration), email: email?.address,
                username: account.user.username,
                isVerified: configuration.tellsFullUsers ? email?.isVerified ?? false : nil))
    }
}
