import HTTP

extension Onegini {
    private var webClients: ManagedClients { .web(server) }

    /// `GET /api/v1/configuration/web-clients`: the web clients, a hundred at a time.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; query `page`, counted from 0.
    /// - Response: `200 {"result":[…]}`, never with secrets.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, web clients API.
    func listWebClients(_ request: Request) throws -> Response { try webClients.list(request) }

    /// `POST /api/v1/configuration/web-clients`: makes one.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with the vendor's members.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict` for an id that any client has.
    /// - Source: Token Server documentation, web clients API.
    func createWebClient(_ request: Request) throws -> Response { try webClients.create(request) }

    /// `GET /api/v1/configuration/web-clients/{client_id}`: one of them.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 200 with the vendor's members, never with secrets.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web clients API.
    func showWebClient(_ request: Request) throws -> Response { try webClients.show(request) }

    /// `PATCH /api/v1/configuration/web-clients/{client_id}`: changes the members that are named; null takes one away.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with the vendor's members.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web clients API.
    func updateWebClient(_ request: Request) throws -> Response { try webClients.update(request) }

    /// `DELETE /api/v1/configuration/web-clients/{client_id}`: takes one away, with its tokens.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web clients API.
    func removeWebClient(_ request: Request) throws -> Response { try webClients.remove(request) }
}
