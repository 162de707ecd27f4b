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
    func showServerStatus(_ request: Request) throws -> Response {
        var members = EmulatedServer.server.members(try serverVersion())
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
        let codes = ManagementCode.allCases.filter { $0.isListed && !(isOfSecond && $0.isGone) }
        let errors = codes.map { code -> JSONValue in
            ["code": .string(code.rawValue), "value": .string(code.meaning)]
        }
        return .management(["language": "en", "errors": .array(errors)])
    }

    /// `POST /rest/v3/integration/create`: credentials for the management API, which asks for some from then on.
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
    /// - Response: `restrictAccess`, `items`.
    /// - Errors: `ERR0024`.
    func listIntegrations(_ request: Request) throws -> Response {
        _ = try managementInput(request)
        let all = try database.read { try $0.all(Integration.self) }
        return .management([
            "restrictAccess": .boolean(!all.isEmpty),
            "items": .array(all.map { .object(members(of: $0)) }),
        ])
    }

    /// `POST /rest/v3/integration/remove`: takes credentials away.
    ///
    /// - Request: `{"id"}`.
    /// - Response: `id`, `removed`.
    /// - Errors: `ERR0024`, also for one that is not there.
    func removeIntegration(_ request: Request) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("id")
        try input.check()
        guard try world.change({ try $0.take(Integration.self, where: "id = \(id)") }) != nil else {
            throw ManagementRefusal(.invalidRequest, "There is no integration \(id.prefix(60)).")
        }
        return .management(["id": .string(id), "removed": true])
    }

    private func members(of integration: Integration) -> [String: JSONValue] {
        [
            "id": .string(integration.id), "name": .string(integration.name),
            "clientToken": .string(integration.clientToken),
            "clientSecret": .string(integration.clientSecret),
        ]
    }
}
