import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// The server itself, and who may call it. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/status`: that it runs.
    ///
    /// - Request: `{}`.
    /// - Response: `status`, `applicationName`, `applicationDisplayName`, `applicationEnvironment`, `version`, `timestamp`.
    /// - Errors: none.
    func showServerStatus(_ request: Request) throws -> Response { serverStatus(of: try serverVersion()) }

    /// `POST /rest/v4/status`: as that of version 3, of the first server that has version 4.
    ///
    /// - Request: `{}`.
    /// - Response: as of version 3.
    /// - Errors: none.
    func showServerStatus4(_ request: Request) throws -> Response {
        serverStatus(of: EmulatedServer.nextVersion)
    }

    private func serverStatus(of version: String) -> Response {
        var members = EmulatedServer.server.members(version)
        members["status"] = "OK"
        members["timestamp"] = services.clock.now().managementTime
        return .management(members)
    }

    /// `POST /rest/v3/error/list`: the error codes.
    ///
    /// - Request: `{"requestObject": {"language"?}}`.
    /// - Response: `language`, `errors` of `code` and `value`.
    /// - Errors: none.
    func listServerErrors(_ request: Request) throws -> Response {
        let isOfSecond = try database.read { try world.settings(in: $0).isOfSecondGeneration }
        return errors(of: isOfSecond ? 2 : 1)
    }

    /// `POST /rest/v4/error/list`: the error codes of servers 2.x.
    ///
    /// - Request: `{"requestObject": {"language"?}}`.
    /// - Response: `language`, `errors` of `code` and `value`.
    /// - Errors: none.
    func listServerErrors4(_ request: Request) throws -> Response { errors(of: 2) }

    private func errors(of generation: Int) -> Response {
        let codes = ManagementCode.allCases.filter { $0.isListed && $0.generations.contains(generation) }
        let errors = codes.map { code -> JSONValue in
            ["code": .string(code.rawValue), "value": .string(code.meaning)]
        }
        return .management(["language": "en", "errors": .array(errors)])
    }

    /// `POST /rest/v3/integration/create`: credentials for the management API, which asks for some when the setting `restrict_access` is on.
    ///
    /// - Request: `{"name"}`.
    /// - Response: `id`, `name`, `clientToken`, `clientSecret`.
    /// - Errors: `ERR0024`.
    func createIntegration(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let name = try input.text("name")
        try input.check()
        let integration = Integration(
            id: services.entropy.uuid(for: "powerauth.integration"), name: name,
            clientToken: services.entropy.uuid(for: "powerauth.integration-token"),
            clientSecret: services.entropy.uuid(for: "powerauth.integration-secret"))
        try world.change { try $0.insert(integration) }
        return .management(members(of: integration))
    }

    /// `POST /rest/v3/integration/list`: who may call.
    ///
    /// - Request: `{}`.
    /// - Response: `restrictedAccess`, `items`.
    /// - Errors: `ERR0024`.
    func listIntegrations(_ request: Request) throws -> Response {
        _ = try managementInput(request)
        let (isRestricted, all) = try database.read { db in
            (try world.settings(in: db).restrictsAccess, try db.all(Integration.self))
        }
        return .management([
            "restrictedAccess": .boolean(isRestricted),
            "items": .array(all.map { .object(members(of: $0)) }),
        ])
    }

    /// `POST /rest/v3/integration/remove`: takes credentials away.
    ///
    /// - Request: `{"id"}`.
    /// - Response: `id`, `removed`, false for one that is not there.
    /// - Errors: `ERR0024`.
    func removeIntegration(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("id")
        try input.check()
        let removed = try world.change { try $0.take(Integration.self, where: "id = \(id)") }
        return .management(["id": .string(id), "removed": .boolean(removed != nil)])
    }

    private func members(of integration: Integration) -> [String: JSONValue] {
        [
            "id": .string(integration.id), "name": .string(integration.name),
            "clientToken": .string(integration.clientToken),
            "clientSecret": .string(integration.clientSecret),
        ]
    }
}
