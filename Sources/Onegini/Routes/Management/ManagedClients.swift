import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Clients of one kind, as the config API manages them.
struct ManagedClients: Sendable {
    let kind: String
    /// In errors.
    let title: String
    /// What the caller needs.
    let scope: String
    let json: @Sendable (Client) -> [String: JSONValue]
    let apply: @Sendable ([String: JSONValue], inout Client) throws -> Void

    static let web = ManagedClients(
        kind: "web", title: "Web Client configuration", scope: "onegini_api_config",
        json: WebClientSettings.json, apply: WebClientSettings.apply)

    static let api = ManagedClients(
        kind: Onegini.apiClientKind, title: "API Client configuration", scope: "onegini_api_admin",
        json: APIClientSettings.json, apply: APIClientSettings.apply)
}

extension Onegini {
    /// - Throws: 401, or 403 `forbidden`.
    func requireConfigurator(_ request: Request, scope: String = "onegini_api_config") throws {
        try requireAPIClient(request, scope: scope, denial: "forbidden")
    }

    /// `{"result":[…]}` with the hundred elements of the page that the query asks for, counted from 0.
    ///
    /// - Throws: ``AdministrationRefusal/invalid(_:)`` for a page that is no number.
    func page(of elements: [JSONValue], _ request: Request) throws -> Response {
        let text = Form(request.query ?? "")["page"] ?? "0"
        guard let page = Int(text), 0...1_000_000 ~= page else {
            throw AdministrationRefusal.invalid(
                "page", "must be a whole number from 0, not \"\(text.prefix(40))\"")
        }
        let shown = ListPage(number: page, size: 100)
        return .management(["result": .array(Array(elements.dropFirst(shown.offset).prefix(shown.size)))])
    }

    func list(_ clients: ManagedClients, _ request: Request) throws -> Response {
        try requireConfigurator(request, scope: clients.scope)
        let all = try database.read { try server.clients.all(in: $0) }
        return try page(
            of: all.filter { $0.kind == clients.kind }.map { .object(clients.json($0)) }, request)
    }

    func show(_ clients: ManagedClients, _ request: Request) throws -> Response {
        try requireConfigurator(request, scope: clients.scope)
        let client = try database.read { try find(clients, request, in: $0) }
        return .management(.object(clients.json(client)))
    }

    func create(_ clients: ManagedClients, _ request: Request) throws -> Response {
        try requireConfigurator(request, scope: clients.scope)
        let input = try Members.management(request)
        let id = try input.text("client_id")
        if !id.isEmpty, !id.isClientID {
            try input.fail("client_id", "must be 1 to 255 visible ASCII characters")
        }
        // One answer tells what is wrong with the id and with the rest.
        var client = Client(
            id: id, secret: nil, kind: clients.kind, metadata: ClientMetadata(), createdAt: server.now)
        do {
            try clients.apply(input.values, &client)
        } catch let refusal as AdministrationRefusal where !refusal.faults.isEmpty {
            try input.refuse(refusal.faults)
        }
        try input.check()
        try server.changingMetadata {
            try world.change { turn in
                if let other = try server.clients.find(id, in: turn.db) {
                    throw AdministrationRefusal.conflict(
                        message: "The Client ID already exists.", id: id,
                        with: "a client of kind \"\(other.kind)\"")
                }
                try checkReferences(of: client, in: turn.db)
                try server.clients.insert(client, in: turn.db)
            }
        }
        return .managementCreated(at: request.place(of: id))
    }

    func update(_ clients: ManagedClients, _ request: Request) throws -> Response {
        try requireConfigurator(request, scope: clients.scope)
        let input = try Members.management(request)
        try server.changingMetadata {
            try world.change { turn in
                var client = try find(clients, request, in: turn.db)
                var members = clients.json(client)
                for (name, value) in try change(request, input) {
                    members[name] = merged(members[name], value)
                }
                members["client_id"] = .string(client.id)
                try clients.apply(members, &client)
                try checkReferences(of: client, in: turn.db)
                try server.clients.update(client, in: turn.db)
            }
        }
        return .managementDone
    }

    func remove(_ clients: ManagedClients, _ request: Request) throws -> Response {
        try requireConfigurator(request, scope: clients.scope)
        try server.changingMetadata {
            try world.change { turn in
                let client = try find(clients, request, in: turn.db)
                try server.clients.remove(client.id, at: server.now, in: turn.db)
            }
        }
        return .managementDone
    }

    private func find(_ clients: ManagedClients, _ request: Request, in db: Connection) throws -> Client {
        let id = request.parameter("client_id")
        if let client = try server.clients.find(id, in: db), client.kind == clients.kind { return client }
        let known = try server.clients.all(in: db).filter { $0.kind == clients.kind }.map(\.id)
        throw AdministrationRefusal.notFound(what: clients.title, id: id, known: Array(known.prefix(20)))
    }

    /// The members that came, null among them: it takes a member away.
    private func change(_ request: Request, _ input: Members) throws -> [String: JSONValue] {
        try JSONValue(parsing: request.body).object ?? input.values
    }

    /// An object keeps those of its members that the change does not name.
    private func merged(_ before: JSONValue?, _ change: JSONValue) -> JSONValue {
        guard let old = before?.object, let new = change.object else { return change }
        return .object(old.merging(new) { _, new in new })
    }

    /// Source: Token Server documentation, web clients API, «Limitations». There are no template sets here to refer to.
    private func checkReferences(of client: Client, in db: Connection) throws {
        guard client.kind == ManagedClients.web.kind else { return }
        let input = Members.management(client.metadata.vendor ?? [:])
        let scopes = Set(try server.scopes.known(in: db).map(\.name))
        for name in ScopeList((client.defaultScopes?.names ?? []) + client.scopes.names).names
        where !scopes.contains(name) {
            let isDefault = client.defaultScopes?.contains(name) ?? false
            try input.fail(
                isDefault ? "default_scopes" : "additional_scopes",
                "names the scope \"\(name)\", which does not exist; make it with POST /api/v1/configuration/scopes"
            )
        }
        for id in try input.texts("resource_gateway_ids") ?? []
        where try server.clients.find(id, in: db) == nil {
            try input.fail("resource_gateway_ids", "names the client \"\(id)\", which does not exist")
        }
        let first = try input.anyText("identity_provider_id").map { [("identity_provider_id", $0)] } ?? []
        let others = (try input.texts("additional_identity_provider_ids") ?? []).map {
            ("additional_identity_provider_ids", $0)
        }
        for (member, id) in first + others
        where try db.configuration(.identityProvider, id) == nil {
            try input.fail(member, "names the identity provider \"\(id)\", which does not exist")
        }
        try input.check()
    }
}

extension Request {
    /// Where something lives that was made at this request's own path. Source: Token Server documentation, config API, whose
    /// examples have no host.
    func place(of id: String, slash: String = "") -> String {
        let path = target.prefix { $0 != "?" }
        return path + (path.hasSuffix("/") ? "" : "/") + id.asPathSegment + slash
    }
}

extension String {
    /// Source: RFC 6749 appendix A.1, and a length that a URL bears.
    fileprivate var isClientID: Bool { 1...255 ~= utf8.count && utf8.allSatisfy { 0x21...0x7E ~= $0 } }

    /// Percent-encoded where it must be. Source: RFC 3986 §3.3.
    fileprivate var asPathSegment: String {
        var text = ""
        for byte in utf8 {
            let isPlain =
                0x30...0x39 ~= byte || 0x41...0x5A ~= byte || 0x61...0x7A ~= byte
                || "-._~:@!$&'()*+,;=".utf8.contains(byte)
            let hex = String(byte, radix: 16, uppercase: true)
            text += isPlain ? String(UnicodeScalar(byte)) : "%" + (hex.count == 1 ? "0" : "") + hex
        }
        return text
    }
}

extension Onegini {
    /// `GET /api/v1/configuration/web-clients`: the web clients, a hundred at a time.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; query `page`, counted from 0.
    /// - Response: `200 {"result":[…]}`, never with secrets.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, web clients API.
    func listWebClients(_ request: Request) throws -> Response { try list(.web, request) }

    /// `POST /api/v1/configuration/web-clients`: makes one.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with the vendor's members.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict` for an id that any client has.
    /// - Source: Token Server documentation, web clients API.
    func createWebClient(_ request: Request) throws -> Response { try create(.web, request) }

    /// `GET /api/v1/configuration/web-clients/{client_id}`: one of them.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 200 with the vendor's members, never with secrets.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web clients API.
    func showWebClient(_ request: Request) throws -> Response { try show(.web, request) }

    /// `PATCH /api/v1/configuration/web-clients/{client_id}`: changes the members that are named; null takes one away.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with the vendor's members.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web clients API.
    func updateWebClient(_ request: Request) throws -> Response { try update(.web, request) }

    /// `DELETE /api/v1/configuration/web-clients/{client_id}`: takes one away, with its tokens.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web clients API.
    func removeWebClient(_ request: Request) throws -> Response { try remove(.web, request) }
}

extension Onegini {
    /// `GET /api/v1/configuration/api-clients`: the API clients, a hundred at a time.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; query `page`, counted from 0.
    /// - Response: `200 {"result":[…]}`, never with secrets.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, API clients API.
    func listAPIClients(_ request: Request) throws -> Response { try list(.api, request) }

    /// `POST /api/v1/configuration/api-clients`: makes one.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; JSON with the vendor's members.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict` for an id that any client has.
    /// - Source: Token Server documentation, API clients API.
    func createAPIClient(_ request: Request) throws -> Response { try create(.api, request) }

    /// `GET /api/v1/configuration/api-clients/{client_id}`: one of them.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`.
    /// - Response: 200 with the vendor's members, never with secrets.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, API clients API.
    func showAPIClient(_ request: Request) throws -> Response { try show(.api, request) }

    /// `PATCH /api/v1/configuration/api-clients/{client_id}`: changes the members that are named; null takes one away.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; JSON with the vendor's members.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, API clients API.
    func updateAPIClient(_ request: Request) throws -> Response { try update(.api, request) }

    /// `DELETE /api/v1/configuration/api-clients/{client_id}`: takes one away, with its tokens.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, API clients API.
    func removeAPIClient(_ request: Request) throws -> Response { try remove(.api, request) }
}
