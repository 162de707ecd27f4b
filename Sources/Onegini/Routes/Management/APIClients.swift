import HTTP

extension Onegini {
    private var apiClients: ManagedClients { .api(server) }

    /// `GET /api/v1/configuration/api-clients`: the API clients, a hundred at a time.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; query `page`, counted from 0.
    /// - Response: `200 {"result":[…]}`, never with secrets.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, API clients API.
    func listAPIClients(_ request: Request) throws -> Response { try apiClients.list(request) }

    /// `POST /api/v1/configuration/api-clients`: makes one.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; JSON with the vendor's members.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict` for an id that any client has.
    /// - Source: Token Server documentation, API clients API.
    func createAPIClient(_ request: Request) throws -> Response { try apiClients.create(request) }

    /// `GET /api/v1/configuration/api-clients/{client_id}`: one of them.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`.
    /// - Response: 200 with the vendor's members, never with secrets.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, API clients API.
    func showAPIClient(_ request: Request) throws -> Response { try apiClients.show(request) }

    /// `PATCH /api/v1/configuration/api-clients/{client_id}`: changes the members that are named; null takes one away.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; JSON with the vendor's members.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, API clients API.
    func updateAPIClient(_ request: Request) throws -> Response { try apiClients.update(request) }

    /// `DELETE /api/v1/configuration/api-clients/{client_id}`: takes one away, with its tokens.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, API clients API.
    func removeAPIClient(_ request: Request) throws -> Response { try apiClients.remove(request) }
}
