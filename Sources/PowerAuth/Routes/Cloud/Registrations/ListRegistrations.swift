import Essentials
import HTTP
import PlatformKit
import SQLite

extension PowerAuth {
    /// `GET /v2/registrations?userId=`: the registrations of a user, newest first, of the caller's applications.
    ///
    /// - Request: query `userId`; `removed=true` adds those that are removed.
    /// - Response: `200 {"registrations": […]}`, empty for a user whom nobody knows.
    /// - Errors: `ERROR_REQUEST`.
    /// - Source: PowerAuth Cloud documentation, registrations.
    func listRegistrations(_ request: Request) throws -> Response {
        let user = try requireBackOffice(request)
        let owner = try request.requireQuery("userId")
        let showsRemoved = request.queryItems["removed"] == "true"
        let query = ActivationQuery(
            user: owner, applications: user.applications, states: showsRemoved ? nil : Self.statesOfUse)
        return try change { turn in
            let entries = try activations.all(query, in: turn)
            return .flat(["registrations": .array(entries.map { .object(registrationMembers(of: $0)) })])
        }
    }

    /// All but REMOVED.
    static let statesOfUse = Activation.State.allCases.filter { $0 != .removed }.map(\.rawValue)
}

extension Request {
    /// A parameter of the query that must be there.
    func requireQuery(_ name: String) throws -> String {
        if let text = queryItems[name], 1...255 ~= text.count { return text }
        var error = CloudRefusal(
            .request, "The request is not valid.", "The query lacks \(name), 1 to 255 characters.")
        error.violations = [
            Members.Fault(
                name, queryItems[name].map(JSONValue.string), expected: "1 to 255 characters")
        ]
        throw error
    }
}
