import Essentials
import HTTP
import PlatformKit
import SQLite

/// Roles of an application. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/application/roles/list`: its roles, in their order.
    ///
    /// - Request: `{"applicationId"}`.
    /// - Response: `applicationId`, `applicationRoles`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func listApplicationRoles(_ request: Request) throws -> Response {
        try changeRoles(request, needsRoles: false) { own, _ in own }
    }

    /// `POST /rest/v3/application/roles/create`: adds roles that are not there yet.
    ///
    /// - Request: `{"applicationId", "applicationRoles"}`.
    /// - Response: `applicationId`, `applicationRoles`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func addApplicationRoles(_ request: Request) throws -> Response {
        try changeRoles(request) { own, given in (own + given).unique }
    }

    /// `POST /rest/v3/application/roles/update`: replaces the roles.
    ///
    /// - Request: `{"applicationId", "applicationRoles"}`.
    /// - Response: `applicationId`, `applicationRoles`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func replaceApplicationRoles(_ request: Request) throws -> Response {
        try changeRoles(request) { _, given in given.unique }
    }

    /// `POST /rest/v3/application/roles/remove`: takes roles away.
    ///
    /// - Request: `{"applicationId", "applicationRoles"}`.
    /// - Response: `applicationId`, `applicationRoles`.
    /// - Errors: `ERR0015`, `ERR0024`.
    func removeApplicationRoles(_ request: Request) throws -> Response {
        try changeRoles(request) { own, given in own.filter { !given.contains($0) } }
    }

    private func changeRoles(
        _ request: Request, needsRoles: Bool = true, _ combine: ([String], [String]) -> [String]
    ) throws -> Response {
        let input = try managementInput(request)
        let id = try input.text("applicationId")
        let given = try input.optionalTexts("applicationRoles")
        if needsRoles, given == nil, input["applicationRoles"] == nil {
            try input.refuse("applicationRoles", "a list of roles")
        }
        try input.check()
        return try world.change { turn in
            var application = try requireApplication(id, in: turn.db)
            application.roles = combine(application.roles, given ?? [])
            try turn.update(application)
            return .management([
                "applicationId": .string(id), "applicationRoles": JSONValue(application.roles),
            ])
        }
    }
}
