import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// Scopes of the config API. What the authorization server has no column for is kept beside its table.
extension Onegini {
    private static let scopeTitle = "Scope configuration"

    /// `GET /api/v1/configuration/scopes`: the scopes, a hundred at a time.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; query `page`, counted from 0.
    /// - Response: `200 {"result":[…]}`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, scopes API, which documents one scope at a time; the list is assumed.
    func listScopes(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let all = try database.read { db in
            try server.scopes.known(in: db).map { JSONValue.object(try scopeMembers($0, in: db)) }
        }
        return try .page(of: all, request)
    }

    /// `POST /api/v1/configuration/scopes`: makes a scope, for which users are asked.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with `scope_id` and, all optional,
    ///   `authentication_level`, `usage_limit`, `service_endpoint`, `verification_failed_endpoint`, `persistent_consent`,
    ///   `descriptions`.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict`.
    /// - Source: Token Server documentation, scopes API.
    func createScope(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let (id, settings) = try scopeInput(request)
        try server.changingMetadata {
            try world.change { turn in
                try server.scopes.writeDown(in: turn.db)
                if try server.scopes.all(in: turn.db).contains(where: { $0.name == id }) {
                    throw AdministrationRefusal.conflict(
                        message: "The Scope already exists.", id: id, with: "a scope that is there already")
                }
                try server.scopes.insert(
                    Scope(id, settings.scopeDescription, needsConsent: true), in: turn.db)
                try keep(settings, of: id, turn)
            }
        }
        return .managementCreated(at: request.place(of: id))
    }

    /// `GET /api/v1/configuration/scopes/{scope}`: one scope.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: `200 {scope_id, authentication_level, usage_limit, service_endpoint, verification_failed_endpoint?,
    ///   persistent_consent, descriptions}`.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, scopes API.
    func showScope(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        return .management(
            .object(try database.read { db in try scopeMembers(findScope(request, in: db), in: db) }))
    }

    /// `PATCH /api/v1/configuration/scopes/{scope}`: replaces what is said about a scope; what is left out gets its default.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON as for making one, `scope_id` that of the path.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, scopes API.
    func updateScope(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let (id, settings) = try scopeInput(request)
        try server.changingMetadata {
            try world.change { turn in
                var scope = try findScope(request, in: turn.db)
                guard scope.name == id else {
                    throw AdministrationRefusal.invalid(
                        "scope_id", "must be “\(scope.name)”, as in the path, not “\(id)”")
                }
                scope.description = settings.scopeDescription
                try server.scopes.writeDown(in: turn.db)
                try server.scopes.update(scope, in: turn.db)
                try keep(settings, of: id, turn)
            }
        }
        return .managementDone
    }

    /// `DELETE /api/v1/configuration/scopes/{scope}`: takes a scope away; requests that name it are refused from then on.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, scopes API.
    func removeScope(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        try server.changingMetadata {
            try world.change { turn in
                let scope = try findScope(request, in: turn.db)
                try server.scopes.writeDown(in: turn.db)
                try server.scopes.remove(scope.name, in: turn.db)
                if let settings = try turn.db.configuration(.scope, scope.name) { try turn.delete(settings) }
            }
        }
        return .managementDone
    }

    private func findScope(_ request: Request, in db: Connection) throws -> Scope {
        let name = request.parameter("scope")
        let known = try server.scopes.known(in: db)
        if let scope = known.first(where: { $0.name == name }) { return scope }
        throw AdministrationRefusal.notFound(
            what: Self.scopeTitle, id: name, known: known.prefix(20).map(\.name))
    }

    private func scopeMembers(_ scope: Scope, in db: Connection) throws -> [String: JSONValue] {
        let defaults: [String: JSONValue] = [
            "authentication_level": 0, "usage_limit": 0, "service_endpoint": "", "persistent_consent": true,
            "descriptions": scope.description.map { ["en": .string($0)] } ?? [:],
        ]
        let settings = try db.configuration(.scope, scope.name)?.settings ?? defaults
        return settings.merging(["scope_id": .string(scope.name)]) { _, id in id }
    }

    private func scopeInput(_ request: Request) throws -> (id: String, settings: [String: JSONValue]) {
        let input = try Members.management(request)
        let id = try input.text("scope_id")
        if !id.isEmpty, id.utf8.count > 255 || !id.utf8.allSatisfy(\.isOfScope) {
            try input.fail("scope_id", "must be up to 255 letters, digits and _ - : . without spaces")
        }
        var settings: [String: JSONValue] = [
            "authentication_level": .integer(try input.integer("authentication_level") ?? 0),
            "usage_limit": .integer(try input.integer("usage_limit") ?? 0),
            "service_endpoint": .string(try input.anyText("service_endpoint") ?? ""),
            "persistent_consent": .boolean(try input.optionalBoolean("persistent_consent") ?? false),
            "descriptions": .object(try input.optionalObject("descriptions") ?? [:]),
        ]
        settings["verification_failed_endpoint"] = try input.anyText("verification_failed_endpoint").map(
            JSONValue.string)
        try input.check()
        return (id, settings)
    }

    private func keep(_ settings: [String: JSONValue], of id: String, _ turn: Turn) throws {
        try turn.save(ConfigurationEntry(.scope, id, settings))
        guard let url = settings["service_endpoint"]?.string, !url.isEmpty else { return }
        let service = try ScopeVerificationSettings.setting.value(in: turn.db)
        if let service, service.isEnabled ?? true { return }
        turn.note(
            "not verified", about: id,
            "The scope “\(id)” has a service_endpoint, but scope verification is off, so that it is granted unasked: the "
                + "service that is called is in onegini.scope_verification of the fixtures.")
    }
}

extension [String: JSONValue] {
    /// For the consent page: the English one, or else any.
    fileprivate var scopeDescription: String? {
        let all = self["descriptions"]?.object ?? [:]
        return all["en"]?.string ?? all.sorted { $0.key < $1.key }.first?.value.string
    }
}

extension UInt8 {
    /// Source: Token Server documentation, scopes API; `:` and `.` since a later release.
    fileprivate var isOfScope: Bool {
        0x30...0x39 ~= self || 0x41...0x5A ~= self || 0x61...0x7A ~= self || "_-:.".utf8.contains(self)
    }
}
