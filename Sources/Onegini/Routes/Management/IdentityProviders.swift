import Essentials
import HTTP
import PlatformKit
import SQLite

// Identity providers of the config API: stored and listed. Users log in at this server's own pages, whatever is named here.
extension Onegini {
    private static let providerTitle = "Identity Provider"
    private static let providerTypes = [
        "ID_BROKER", "TULIP", "OAUTH", "CUSTOM", "ONEGINI", "ONEGINI_API_ONE_STEP", "ONEGINI_API_TWO_STEP",
        "SAML",
    ]

    /// `GET /api/v1/configuration/idps`: all identity providers.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; query `page`, counted from 0.
    /// - Response: `200 {"result":[{id, name, type, enabled, default, …}]}`, never with secrets.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, identity providers API.
    func listIdentityProviders(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let all = try database.read { try $0.configurations(.identityProvider) }
        return try .page(of: all.map { .object($0.settings.withoutSecrets) }, request)
    }

    /// `POST /api/v1/configuration/idps`: makes one.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`; JSON with `id`, `name`, `type`, and what the type asks for.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict`.
    /// - Source: Token Server documentation, identity providers API.
    func createIdentityProvider(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let input = try Members.management(request)
        let id = try input.text("id")
        _ = try input.text("name")
        let type = try input.choice("type", of: Self.providerTypes, isRequired: true) ?? ""
        for name in Self.members(of: type) { _ = try input.text(name) }
        var settings = input.values
        settings["enabled"] = .boolean(try input.optionalBoolean("enabled") ?? true)
        settings["default"] = .boolean(try input.optionalBoolean("default") ?? false)
        try input.check()
        try world.change { turn in
            if try turn.db.configuration(.identityProvider, id) != nil {
                throw AdministrationRefusal.conflict(
                    message: "The Identity Provider already exists.", id: id,
                    with: "another identity provider")
            }
            try turn.insert(ConfigurationEntry(.identityProvider, id, settings))
        }
        return .managementCreated(at: request.place(of: id))
    }

    /// `GET /api/v1/configuration/idps/{id}/`: one identity provider; the slash at the end is needed.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: `200 {id, name, type, enabled, default, …}`, never with secrets.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, identity providers API.
    func showIdentityProvider(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let id = request.parameter("id")
        let found = try database.read { db in
            try db.configuration(.identityProvider, id)
                ?? { throw try missingProvider(id, in: db) }()
        }
        return .management(.object(found.settings.withoutSecrets))
    }

    /// `DELETE /api/v1/configuration/idps/{id}`: takes one away.
    ///
    /// - Request: credentials of an API client with `onegini_api_config`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, identity providers API.
    func removeIdentityProvider(_ request: Request) throws -> Response {
        try access.requireConfigurator(request)
        let id = request.parameter("id")
        try world.change { turn in
            guard let provider = try turn.db.configuration(.identityProvider, id) else {
                throw try missingProvider(id, in: turn.db)
            }
            try turn.delete(provider)
        }
        return .managementDone
    }

    private func missingProvider(_ id: String, in db: Connection) throws -> AdministrationRefusal {
        let known = try db.configurations(.identityProvider).prefix(20).map(\.id)
        return .notFound(what: Self.providerTitle, id: id, known: known)
    }

    /// Members that a type must have besides the common ones.
    private static func members(of type: String) -> [String] {
        switch type {
        case "ID_BROKER", "TULIP": ["issuer_uri", "client_id"]
        case "OAUTH": ["client_id", "authorization_url", "token_url", "profile_url"]
        default: []
        }
    }
}

extension [String: JSONValue] {
    /// Secrets and passwords are never given back. Source: Token Server documentation, config API.
    var withoutSecrets: [String: JSONValue] {
        filter { !$0.key.hasSuffix("secret") && !$0.key.hasSuffix("password") }
    }
}
