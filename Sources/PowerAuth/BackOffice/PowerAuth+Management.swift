import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite

/// What the routes of the management API have in common.
extension PowerAuth {
    /// The request's object, when its caller may call: everybody may as long as there is no integration; then only by HTTP Basic
    /// with the token and secret of one.
    func managementInput(_ request: Request) throws -> Members {
        let integrations = try database.read { try $0.all(Integration.self) }
        if !integrations.isEmpty {
            let credentials = try basicCredentials(request)
            guard let integration = integrations.first(where: { $0.clientToken == credentials.name }) else {
                throw BackOfficeRefusal.integrationUnknown(credentials.name)
            }
            guard
                constantTimeEqual(Array(integration.clientSecret.utf8), Array(credentials.password.utf8))
            else { throw BackOfficeRefusal.passwordWrong(integration.name) }
        }
        return try Members(request, .management)
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
