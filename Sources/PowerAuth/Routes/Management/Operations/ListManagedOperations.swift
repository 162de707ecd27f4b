import Essentials
import HTTP
import PlatformKit

/// Lists, newest first. Source of all: published behaviour of the PowerAuth Server.
extension PowerAuth {
    /// `POST /rest/v3/operation/list`: operations of a user in any state.
    ///
    /// - Request: `{"userId", "applications", "activationId"?, "pageNumber"?, "pageSize"?}`; pages from 0 of 500, at most 1000.
    /// - Response: a list of operations.
    /// - Errors: `ERR0015`, `ERR0024`.
    func listManagedOperations(_ request: Request) throws -> Response {
        try list(request, by: "userId") { query, turn in
            try Operation.all(query, at: turn.now, in: turn.db)
                .map { try $0.managedMembers(at: turn.now, withOTP: false) }
        }
    }

    /// `POST /rest/v3/operation/list/pending`: those that wait for an approval, with their one-time passwords.
    ///
    /// - Request: as above.
    /// - Response: a list of operations.
    /// - Errors: `ERR0015`, `ERR0024`.
    func listPendingManagedOperations(_ request: Request) throws -> Response {
        try list(request, by: "userId") { query, turn in
            try Operation.pending(query, at: turn.now, in: turn.db)
                .map { try $0.managedMembers(at: turn.now, withOTP: true) }
        }
    }

    /// `POST /rest/v3/operation/list/external`: those with a reference of the caller.
    ///
    /// - Request: `{"externalId", "applications", "pageNumber"?, "pageSize"?}`.
    /// - Response: a list of operations.
    /// - Errors: `ERR0015`, `ERR0024`.
    func listExternalManagedOperations(_ request: Request) throws -> Response {
        try list(request, by: "externalId") { query, turn in
            try Operation.all(query, at: turn.now, in: turn.db)
                .map { try $0.managedMembers(at: turn.now, withOTP: false) }
        }
    }

    /// - Parameter key: the member by which operations are found.
    private func list(
        _ request: Request, by key: String,
        _ find: (OperationQuery, Turn) throws -> [[String: JSONValue]]
    ) throws -> Response {
        let input = try managementInput(request)
        let value = try input.text(key)
        var query = OperationQuery(applications: try input.optionalTexts("applications") ?? [])
        if key == "userId" { query.user = value } else { query.externalID = value }
        query.activation = key == "userId" ? try input.optionalText("activationId", 1...37) : nil
        query.page = ListPage(
            number: try input.optionalInteger("pageNumber", ListPage.numbers) ?? 0,
            size: try input.optionalInteger("pageSize", OperationQuery.sizes) ?? 500)
        if query.applications.isEmpty, input["applications"]?.array?.isEmpty ?? true {
            try input.refuse("applications", "a list with at least one application")
        }
        try input.check()
        let wanted = query
        return try manage { turn in
            for id in wanted.applications where try Application.find(id, in: turn.db) == nil {
                throw OperationRefusal.applicationUnknown(id)
            }
            var query = wanted
            if let id = query.activation {
                query.flags = try Activation.find(id, in: turn.db)?.flags ?? []
            }
            return .powerAuth(responseObject: .array(try find(query, turn).map(JSONValue.object)))
        }
    }
}
