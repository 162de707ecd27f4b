import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

/// Clients of one kind, as the config API manages them.
struct ManagedClients: Sendable {
    let server: AuthorizationServer
    let kind: String
    /// In errors.
    let title: String
    /// What the caller needs.
    let scope: String
    let json: @Sendable (Client) -> [String: JSONValue]
    let apply: @Sendable ([String: JSONValue], inout Client) throws -> Void

    /// Kind of the clients that act for users.
    private static let webKind = "web"

    static func web(_ server: AuthorizationServer) -> ManagedClients {
        ManagedClients(
            server: server, kind: webKind, title: "Web Client configuration", scope: "onegini_api_config",
            json: WebClientSettings.json, apply: WebClientSettings.apply)
    }

    static func api(_ server: AuthorizationServer) -> ManagedClients {
        ManagedClients(
            server: server, kind: APIAccess.clientKind, title: "API Client configuration",
            scope: "onegini_api_admin", json: APIClientSettings.json, apply: APIClientSettings.apply)
    }

    private var access: APIAccess { APIAccess(server) }
}

extension ManagedClients {
    func list(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: scope)
        let all = try server.database.read { try server.clients.all(in: $0) }
        return try .page(
            of: all.filter { $0.kind == kind }.map { .object(json($0)) }, request)
    }

    func show(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: scope)
        let client = try server.database.read { try find(request, in: $0) }
        return .management(.object(json(client)))
    }

    func create(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: scope)
        let input = try Members.management(request)
        let id = try input.text("client_id")
        if !id.isEmpty, !id.isClientID {
            try input.fail("client_id", "must be 1 to 255 visible ASCII characters")
        }
        // One answer tells what is wrong with the id and with the rest.
        var client = Client(
            id: id, secret: nil, kind: kind, metadata: ClientMetadata(), createdAt: server.now)
        do {
            try apply(input.values, &client)
        } catch let refusal as AdministrationRefusal where !refusal.faults.isEmpty {
            try input.refuse(refusal.faults)
        }
        try input.check()
        try server.changingMetadata {
            try server.world.change { turn in
                if let other = try server.clients.find(id, in: turn.db) {
                    throw AdministrationRefusal.conflict(
                        message: "The Client ID already exists.", id: id,
                        with: "a client of kind “\(other.kind)”")
                }
                try checkReferences(of: client, in: turn.db)
                try server.clients.insert(client, in: turn.db)
            }
        }
        return .managementCreated(at: request.place(of: id))
    }

    func update(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: scope)
        let input = try Members.management(request)
        try server.changingMetadata {
            try server.world.change { turn in
                var client = try find(request, in: turn.db)
                var members = json(client)
                for (name, value) in try change(request, input) {
                    members[name] = merged(members[name], value)
                }
                members["client_id"] = .string(client.id)
                try apply(members, &client)
                try checkReferences(of: client, in: turn.db)
                try server.clients.update(client, in: turn.db)
            }
        }
        return .managementDone
    }

    func remove(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: scope)
        try server.changingMetadata {
            try server.world.change { turn in
                let client = try find(request, in: turn.db)
                try server.clients.remove(client.id, at: server.now, in: turn.db)
            }
        }
        return .managementDone
    }

    private func find(_ request: Request, in db: Connection) throws -> Client {
        let id = request.parameter("client_id")
        if let client = try server.clients.find(id, in: db), client.kind == kind { return client }
        let known = try server.clients.all(in: db).filter { $0.kind == kind }.map(\.id)
        throw AdministrationRefusal.notFound(what: title, id: id, known: Array(known.prefix(20)))
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

    /// Source: Token Server documentation, web clients API, “Limitations”. There are no template sets here to refer to.
    private func checkReferences(of client: Client, in db: Connection) throws {
        guard client.kind == Self.webKind else { return }
        let input = Members.management(client.metadata.vendor ?? [:])
        let scopes = Set(try server.scopes.known(in: db).map(\.name))
        for name in ScopeList((client.defaultScopes?.names ?? []) + client.scopes.names).names
        where !scopes.contains(name) {
            let isDefault = client.defaultScopes?.contains(name) ?? false
            try input.fail(
                isDefault ? "default_scopes" : "additional_scopes",
                "names the scope “\(name)”, which does not exist; make it with POST /api/v1/configuration/scopes"
            )
        }
        for id in try input.texts("resource_gateway_ids") ?? []
        where try server.clients.find(id, in: db) == nil {
            try input.fail("resource_gateway_ids", "names the client “\(id)”, which does not exist")
        }
        let first = try input.anyText("identity_provider_id").map { [("identity_provider_id", $0)] } ?? []
        let others = (try input.texts("additional_identity_provider_ids") ?? []).map {
            ("additional_identity_provider_ids", $0)
        }
        for (member, id) in first + others
        where try db.configuration(.identityProvider, id) == nil {
            try input.fail(member, "names the identity provider “\(id)”, which does not exist")
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
