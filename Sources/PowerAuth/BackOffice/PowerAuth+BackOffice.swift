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
        guard let user = try SystemUser.find(credentials.name, in: database) else {
            throw BackOfficeRefusal.unknown(credentials.name)
        }
        guard constantTimeEqual(Array(user.password.utf8), Array(credentials.password.utf8)) else {
            throw BackOfficeRefusal.passwordWrong(user.name)
        }
        guard user.isEnabled else { throw BackOfficeRefusal.disabled(user.name) }
        guard roles.contains(where: user.roles.contains) else {
            throw BackOfficeRefusal.roleMissing(user, roles)
        }
        return user
    }

    /// Source: RFC 7617 §2.
    func basicCredentials(_ request: Request) throws -> BasicCredentials {
        guard let header = request.headers["Authorization"] else { throw BackOfficeRefusal.missing }
        guard let value = header.value(ofScheme: "Basic") else {
            throw BackOfficeRefusal.malformed("the scheme is “\(header.prefix { $0 != " " }.prefix(40))”")
        }
        do {
            return try BasicCredentials(parsing: value)
        } catch {
            throw BackOfficeRefusal.malformed("what follows the scheme \(error.rawValue)")
        }
    }
}

/// A call of the Cloud API or of the management API by somebody who may not make it.
///
/// Source: PowerAuth Cloud documentation, error codes (401); the 403 is *assumed*.
struct BackOfficeRefusal: PowerAuthRefusal, Equatable {
    let wire: WireError
    let explanation: String

    private init(_ explanation: String, _ wire: WireError = unauthorized) {
        (self.wire, self.explanation) = (wire, explanation)
    }

    private static var unauthorized: WireError {
        var wire = WireError(.unauthorized, "ERROR_UNAUTHORIZED", "Authentication is required.")
        wire.headers = ["WWW-Authenticate": "Basic realm=\"PowerAuth Cloud\""]
        return wire
    }

    static var missing: Self {
        Self(
            "The request has no Authorization header. Call with HTTP Basic as one of powerauth.users of the fixtures, such as "
                + "back-office with back-office-secret.")
    }

    /// - Parameter reason: for the end of a sentence.
    static func malformed(_ reason: String) -> Self {
        Self("The Authorization header is not HTTP Basic as in RFC 7617: \(reason).")
    }

    static func unknown(_ name: String) -> Self {
        Self(
            "There is no system user “\(name)”. Those that exist are in powerauth.users of the fixtures, or were created by "
                + "POST /admin/users.")
    }

    static func integrationUnknown(_ token: String) -> Self {
        Self(
            "There is no integration with the client token “\(token.prefix(60))”. Those that exist are in powerauth.integrations of "
                + "the fixtures, or were made by POST /rest/v3/integration/create.")
    }

    /// The same as the management API says it, which has no system users.
    var ofManagement: Self {
        var wire = WireError(.unauthorized, "ERR_AUTHENTICATION", "Authentication failed")
        wire.headers = ["WWW-Authenticate": "Basic realm=\"PowerAuth Server\""]
        let reason =
            self == Self.missing ? "The request has no Authorization header." : explanation
        return Self(
            reason
                + " The setting restrict_access of the fixtures is on: the management API asks for HTTP Basic with the client token "
                + "and the client secret of an integration.", wire)
    }

    static func passwordWrong(_ name: String) -> Self { Self("The password of “\(name)” is another one.") }

    static func disabled(_ name: String) -> Self { Self("The system user “\(name)” is not enabled.") }

    static func roleMissing(_ user: SystemUser, _ roles: [SystemUser.Role]) -> Self {
        Self(
            "The system user “\(user.name)” has the roles \(user.roles.map(\.rawValue).joined(separator: ", ")), and this call "
                + "asks for \(roles.map(\.rawValue).joined(separator: " or ")).",
            WireError(.forbidden, "ERROR_FORBIDDEN", "The user may not make this call."))
    }
}
