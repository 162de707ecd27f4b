import HTTP

extension Onegini {
    /// A path of the config API that is documented with a slash at its end, asked for without.
    ///
    /// - Request: any.
    /// - Response: none.
    /// - Errors: 404 `not_found`.
    /// - Source: Token Server documentation, application version API and identity providers API: «`/` at the end is required».
    func refuseMissingSlash(_ request: Request) throws -> Response {
        throw AdministrationRefusal.slashMissing(String(request.target.prefix { $0 != "?" }))
    }
}
