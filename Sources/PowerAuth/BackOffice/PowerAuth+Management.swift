import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// What the routes of the management API have in common.
extension PowerAuth {
    /// The request's object, when its caller may call: everybody may, unless access is restricted; then only by HTTP Basic with the token
    /// and secret of an integration.
    func managementInput(_ request: Request) throws -> Members {
        let (isRestricted, integrations) = try database.read { db in
            let isRestricted = try world.settings(in: db).restrictsAccess
            return (isRestricted, isRestricted ? try db.all(Integration.self) : [])
        }
        if isRestricted { try requireIntegration(request, among: integrations) }
        return try Members(request, .management)
    }

    private func requireIntegration(_ request: Request, among integrations: [Integration]) throws {
        do {
            let credentials = try basicCredentials(request)
            guard let integration = integrations.first(where: { $0.clientToken == credentials.name }) else {
                throw BackOfficeRefusal.integrationUnknown(credentials.name)
            }
            guard
                constantTimeEqual(Array(integration.clientSecret.utf8), Array(credentials.password.utf8))
            else { throw BackOfficeRefusal.passwordWrong(integration.name) }
        } catch let refusal as BackOfficeRefusal {
            throw refusal.ofManagement
        }
    }

    /// - Throws: ``ManagementRefusal`` `ERR0009`.
    func requireActivation(_ id: String, in turn: Turn) throws -> Activation {
        if let activation = try activations.find(id, in: turn) {
            if !activation.user.isEmpty { world.services.journal.concern(activation.user) }
            turn.concern(activation.subjects)
            return activation
        }
        throw ManagementRefusal(.activationUnknown, "There is no activation \(id.prefix(60)).")
    }

    /// - Throws: ``ManagementRefusal`` `ERR0015`.
    func requireApplication(_ id: String, in db: Connection) throws -> Application {
        if let application = try Application.find(id, in: db) { return application }
        throw ManagementRefusal(.applicationUnknown, "There is no application “\(id.prefix(60))”.")
    }
}

extension Response {
    /// `{"status": "OK", "responseObject": …}`
    static func management(_ object: [String: JSONValue]) -> Response {
        .powerAuth(responseObject: .object(object))
    }
}
