import Essentials
import HTTP

/// Why a user name and a password bring no tokens. Source: RFC 6749 §4.3, §5.2.
enum PasswordRefusal: AuditedRefusal, Equatable {
    case userUnknown(String)
    case passwordless(String)
    case passwordWrong(String)

    var wire: OAuthWire { OAuthWire(.badRequest, "invalid_grant", "User name or password is wrong") }
    var audit: AuditEvent.Kind? { .grantInvalid }

    var explanation: String {
        switch self {
        case .userUnknown(let name): "There is no user \"\(name)\" at this server."
        case .passwordless(let name): "The user \"\(name)\" has no password, and cannot log in with one."
        case .passwordWrong(let name): "The user \"\(name)\" is known and the password is another one."
        }
    }
}
