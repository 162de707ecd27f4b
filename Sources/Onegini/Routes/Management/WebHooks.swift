import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite

// Web hooks of the admin API. One of the type `CUSTOMIZE_TOKEN` is called; the others are stored and given back.
extension Onegini {
    private static let hookTitle = "Web Hook configuration"

    /// `GET /api/v1/configuration/web-hooks`: all web hooks.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; query `page`, counted from 0.
    /// - Response: `200 {"result":[{id, type, name, base_uri, authentication_method, username?}]}`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`.
    /// - Source: Token Server documentation, web hooks configuration API.
    func listWebHooks(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: "onegini_api_admin")
        let all = try database.read { try $0.configurations(.webHook) }
        return try .page(of: all.map { .object($0.settings.withoutSecrets) }, request)
    }

    /// `POST /api/v1/configuration/web-hooks`: makes one.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; JSON with `type`, `name`, `base_uri`,
    ///   `authentication_method`, for `BASIC` also `username` and `password`; `id` is made when left out.
    /// - Response: 201 without a body, `Location`.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 409 `conflict`.
    /// - Source: Token Server documentation, web hooks configuration API.
    func createWebHook(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: "onegini_api_admin")
        let input = try Members.management(request)
        let id = try input.anyText("id") ?? services.entropy.uuid(for: "onegini.web_hook")
        var settings = try hookSettings(input)
        settings["id"] = .string(id)
        try world.change { turn in
            if try turn.db.configuration(.webHook, id) != nil {
                throw AdministrationRefusal.conflict(
                    message: "The id already exists for a different Web Hook configuration.", id: id,
                    with: "another web hook")
            }
            try turn.insert(ConfigurationEntry(.webHook, id, settings))
            if let type = settings["type"]?.string, type != CustomizationHook.type {
                turn.note(
                    "not emulated", about: id,
                    "The web hook “\(id)” is stored and returned, but web hooks of the type \(type) are not emulated: nobody "
                        + "calls its base_uri.")
            }
        }
        return .managementCreated(at: request.place(of: id))
    }

    /// `GET /api/v1/configuration/web-hooks/{id}`: one web hook.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`.
    /// - Response: `200 {id, type, name, base_uri, authentication_method, username?}`, never with the password.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web hooks configuration API.
    func showWebHook(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: "onegini_api_admin")
        return .management(
            .object(try database.read { try findHook(request, in: $0) }.settings.withoutSecrets))
    }

    /// `PATCH /api/v1/configuration/web-hooks/{id}`: changes the members that are named.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`; JSON as for making one.
    /// - Response: 204.
    /// - Errors: 400 `invalid_request`; 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web hooks configuration API.
    func updateWebHook(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: "onegini_api_admin")
        let change = try Members.management(request).values
        try world.change { turn in
            var hook = try findHook(request, in: turn.db)
            let id = JSONValue.string(hook.id)
            hook.settings = try hookSettings(
                Members.management(
                    hook.settings.merging(change) { _, new in new }.merging(["id": id]) { _, id in id }))
            try turn.save(hook)
        }
        return .managementDone
    }

    /// `DELETE /api/v1/configuration/web-hooks/{id}`: takes one away, and the link to it from every client.
    ///
    /// - Request: credentials of an API client with `onegini_api_admin`.
    /// - Response: 204.
    /// - Errors: 401; 403 `forbidden`; 404 `not_found`.
    /// - Source: Token Server documentation, web hooks configuration API.
    func removeWebHook(_ request: Request) throws -> Response {
        try access.requireConfigurator(request, scope: "onegini_api_admin")
        try world.change { turn in
            let hook = try findHook(request, in: turn.db)
            let id = hook.id
            try turn.delete(hook)
            for var client in try server.clients.all(in: turn.db) {
                guard let linked = client.metadata.vendor?["web_hook_ids"]?.strings, linked.contains(id)
                else {
                    continue
                }
                client.metadata.vendor?["web_hook_ids"] = JSONValue(linked.filter { $0 != id })
                try server.clients.update(client, in: turn.db)
            }
        }
        return .managementDone
    }

    private func findHook(_ request: Request, in db: Connection) throws -> ConfigurationEntry {
        let id = request.parameter("id")
        if let hook = try db.configuration(.webHook, id) { return hook }
        let known = try db.configurations(.webHook).prefix(20).map(\.id)
        throw AdministrationRefusal.notFound(what: Self.hookTitle, id: id, known: known)
    }

    private func hookSettings(_ input: Members) throws -> [String: JSONValue] {
        _ = try input.choice(
            "type", of: ["CUSTOMIZE_TOKEN", "DABP", "USER_DETAILS_CUSTOMIZATION"], isRequired: true)
        _ = try input.text("name")
        _ = try input.text("base_uri")
        let method = try input.choice(
            "authentication_method", of: ["BASIC", "JWT", "NONE"], isRequired: true)
        if method == "BASIC" {
            _ = try input.text("username")
            _ = try input.text("password")
        }
        try input.check()
        return input.values
    }
}
