import HTTP

extension Hanko {
    /// `GET /emails`: the addresses of the signed-in user.
    ///
    /// - Request: a session.
    /// - Response: `200 [{"id": uuid, "address": "…", "is_verified": bool, "is_primary": bool}]`.
    /// - Errors: 401.
    /// - Source: Hanko 2.7, classic API.
    func listEmails(_ request: Request) throws -> Response {
        let userID = try requireSession(request).session.userID
        let (rules, account) = (try configuration().thirdParty, try accounts.account(userID))
        return try .hanko(
            (account?.emails ?? []).map {
                EmailOutput($0, identities: account?.identities ?? [], rules: rules)
            })
    }
}
