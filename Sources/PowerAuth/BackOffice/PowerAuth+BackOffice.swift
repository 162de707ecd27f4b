import Crypto
import Essentials
import HTTP
import SQLite

extension PowerAuth {
    /// The system user that the request proves to come from by HTTP Basic, who has `role`.
    ///
    /// - Throws: 401 `ERROR_UNAUTHORIZED` for credentials that are missing or wrong, 403 for a role that the user lacks.
    @discardableResult
    func requireBackOffice(_ request: Request, _ role: SystemUser.Role = .user) throws -> SystemUser {
        try requireBackOffice(request, anyOf: [role])
    }

    /// The same for a call that more than one role may make.
    func requireBackOffice(_ request: Request, anyOf roles: [SystemUser.Role]) throws -> SystemUser {
        let credentials = try basicCredentials(request)
        let found = try database.read { try SystemUser.find(credentials.name, in: $0) }
        guard let user = found else {
            throw BackOfficeRefused.unknown(credentials.name)
        }
        guard constantTimeEqual(Array(user.password.utf8), Array(credentials.password.utf8)) else {
            throw BackOfficeRefused.passwordWrong(user.name)
        }
        guard user.isEnabled else { throw BackOfficeRefused.disabled(user.name) }
        guard roles.contains(where: user.roles.contains) else {
            throw BackOfficeRefused.roleMissing(user.name, roles, has: user.roles)
        }
        return user
    }

    /// Source: RFC 7617 §2.
    func basicCredentials(_ request: Request) throws -> BasicCredentials {
        guard let header = request.headers["Authorization"] else { throw BackOfficeRefused.missing }
        guard let value = header.value(ofScheme: "Basic") else {
            throw BackOfficeRefused.malformed("the scheme is \"\(header.prefix { $0 != " " }.prefix(40))\"")
        }
        do {
            return try BasicCredentials(parsing: value)
        } catch {
            throw BackOfficeRefused.malformed("what follows the scheme \(error.rawValue)")
        }
    }
}
