import HTTP

/// A call of the Cloud API or of the management API by somebody who may not make it.
///
/// Source: PowerAuth Cloud documentation, error codes (401); the 403 is *assumed*.
enum BackOfficeRefused: PowerAuthRefusal, Equatable {
    case missing
    /// Why, for the end of a sentence.
    case malformed(String)
    case unknown(String)
    case integrationUnknown(String)
    case passwordWrong(String)
    case disabled(String)
    case roleMissing(String, [SystemUser.Role], has: [SystemUser.Role])

    var wire: WireError {
        if case .roleMissing = self {
            return WireError(.forbidden, "ERROR_FORBIDDEN", "The user may not make this call.")
        }
        var wire = WireError(.unauthorized, "ERROR_UNAUTHORIZED", "Authentication is required.")
        wire.headers = ["WWW-Authenticate": "Basic realm=\"PowerAuth Cloud\""]
        return wire
    }

    var explanation: String {
        switch self {
        case .missing:
            "The request has no Authorization header. Call with HTTP Basic as one of powerauth.users of the fixtures, such as "
                + "back-office with back-office-secret."
        case .malformed(let reason): "The Authorization header is not HTTP Basic as in RFC 7617: \(reason)."
        case .unknown(let name):
            "There is no system user \"\(name)\". Those that exist stand in powerauth.users of the fixtures, or were made by "
                + "POST /admin/users."
        case .integrationUnknown(let token):
            "There is no integration with the client token \"\(token.prefix(60))\". As long as there is any, the management API asks "
                + "for one; those that exist stand in powerauth.integrations of the fixtures."
        case .passwordWrong(let name): "The password of \"\(name)\" is another one."
        case .disabled(let name): "The system user \"\(name)\" is not enabled."
        case .roleMissing(let name, let roles, let has):
            "The system user \"\(name)\" has the roles \(has.map(\.rawValue).joined(separator: ", ")), and this call asks for "
                + "\(roles.map(\.rawValue).joined(separator: " or "))."
        }
    }
}
