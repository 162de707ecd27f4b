import HTTP

extension Hanko {
    /// `GET /users`: does not exist, although one document of the vendor shows `GET /users?email=…`.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 405 always, since the path exists for POST.
    /// - Source: Hanko 2.7, classic API.
    func listUsers(_ request: Request) throws -> Response { throw HankoError.usersNotListed }
}
