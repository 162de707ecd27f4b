import Essentials
import HTTP
import PlatformKit

/// Why one token is not exchanged for another. Source: RFC 8693 §2.2.2.
typealias ExchangeRefusal = SubjectRefusal<TokenType, AuditEvent.Kind>

/// The two sorts of token that an exchange begins with.
enum ExchangeRole: String {
    case subject, actor
}

extension ExchangeRefusal {
    private init(invalid role: ExchangeRole, explanation: String) {
        self.init(
            OAuthWire(.badRequest, "invalid_request", "The \(role.rawValue)_token is not valid"),
            event: .grantInvalid, explanation: explanation)
    }

    static func typeMissing(_ role: ExchangeRole) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "A token and its type belong together"),
            event: .grantInvalid,
            explanation:
                "The parameter “\(role.rawValue)_token_type” is missing; it says what \(role.rawValue)_token is, such as "
                + "“\(TokenType.accessToken)” (RFC 8693 §2.1).")
    }

    static var typeWithoutActor: Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "A token and its type belong together"),
            event: .grantInvalid,
            explanation: "The parameter actor_token_type was sent without an actor_token (RFC 8693 §2.1).")
    }

    static func typeUnsupported(_ role: ExchangeRole, _ type: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "The token type is not supported"),
            event: .grantInvalid,
            explanation: "The \(role.rawValue)_token_type “\(type)” is not supported; this server takes "
                + "\(TokenRefusal.list(TokenType.accepted)).")
    }

    static func requestedTypeUnsupported(_ type: String) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "The token type is not supported"),
            event: .grantInvalid,
            explanation: "The requested_token_type “\(type)” is not supported; this server issues "
                + "\(TokenRefusal.list(TokenType.issued)).")
    }

    static func tokenUnknown(_ role: ExchangeRole, reason: String) -> Self {
        Self(
            invalid: role,
            explanation:
                "The \(role.rawValue)_token was not issued by this server, or cannot be used here: \(reason)."
        )
    }

    static func issuerForeign(_ role: ExchangeRole, expected: String, found: String?) -> Self {
        Self(
            invalid: role,
            explanation:
                "The \(role.rawValue)_token is an ID token of another issuer: expected iss “\(expected)”, found "
                + "\(found.map { "“\($0.prefix(200))”" } ?? "none"); it is of another world or server that has the same key."
        )
    }

    static func tokenExpired(_ role: ExchangeRole, _ token: AccessToken, now: Date) -> Self {
        Self(
            invalid: role,
            explanation:
                "The \(role.rawValue)_token of \(token.owner) expired \(now.seconds(since: token.expiresAt)) s ago."
        )
    }

    static func tokenEnded(_ role: ExchangeRole, _ token: AccessToken, _ end: TokenEnd) -> Self {
        Self(
            invalid: role,
            explanation:
                "The \(role.rawValue)_token of \(token.owner) was \(end.reason.words) at \(Timestamp.text(end.at))."
        )
    }

    static func scopeWidened(_ names: [String], granted: ScopeList) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_scope", "The scope exceeds that of the subject token"),
            event: .scopeInvalid,
            explanation:
                "The scopes \(TokenRefusal.list(names)) are more than the subject_token has, “\(granted.text)”."
        )
    }

    static func chainTooLong(_ limit: Int) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_request", "Too many actors"), event: .grantInvalid,
            explanation:
                "The token was handed on \(limit) times already; this server does not follow longer chains of actors."
        )
    }
}

/// Names of sorts of tokens. Source: RFC 8693 §3.
enum TokenType {
    static let accessToken = "urn:ietf:params:oauth:token-type:access_token"
    static let jwt = "urn:ietf:params:oauth:token-type:jwt"
    static let idToken = "urn:ietf:params:oauth:token-type:id_token"

    static let accepted = [accessToken, jwt, idToken]
    static let issued = [accessToken, jwt]
}
