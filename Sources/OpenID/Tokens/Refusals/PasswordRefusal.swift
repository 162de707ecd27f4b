import Essentials
import HTTP

/// Why a user name and a password bring no tokens. Source: RFC 6749 §4.3, §5.2.
struct PasswordRefusal: AuditedRefusal, Equatable {
    let wire = OAuthWire(.badRequest, "invalid_grant", "User name or password is wrong")
    let audit: AuditEvent.Kind? = .grantInvalid
    let explanation: String

    static func userUnknown(_ name: String) -> Self {
        Self(explanation: "There is no user \"\(name)\" at this server.")
    }

    static func passwordless(_ name: String) -> Self {
        Self(explanation: "The user \"\(name)\" has no password, and cannot log in with one.")
    }

    static func passwordWrong(_ name: String) -> Self {
        Self(explanation: "The user \"\(name)\" is known and the password is another one.")
    }
}
