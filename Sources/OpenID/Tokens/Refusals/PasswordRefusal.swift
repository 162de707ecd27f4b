import Essentials
import HTTP

/// Why a user name and a password bring no tokens. Source: RFC 6749 §4.3, §5.2.
typealias PasswordRefusal = SubjectRefusal<User, AuditEvent.Kind>

extension PasswordRefusal {
    private init(explanation: String) {
        self.init(
            OAuthWire(.badRequest, "invalid_grant", "User name or password is wrong"), event: .grantInvalid,
            explanation: explanation)
    }

    static func userUnknown(_ name: String) -> Self {
        Self(explanation: "There is no user “\(name)” at this server.")
    }

    static func passwordless(_ name: String) -> Self {
        Self(explanation: "The user “\(name)” has no password, and cannot log in with one.")
    }

    static func passwordWrong(_ name: String) -> Self {
        Self(explanation: "The user “\(name)” is known and the password is another one.")
    }
}
