import Essentials
import HTTP
import PlatformKit

/// Why one token is not exchanged for another. Source: RFC 8693 §2.2.2.
enum ExchangeRefusal: AuditedRefusal, Equatable {
    /// The two sorts of token that an exchange begins with.
    enum Role: String {
        case subject, actor
    }

    case typeMissing(Role)
    case typeWithoutActor
    case typeUnsupported(Role, String)
    case requestedTypeUnsupported(String)
    case tokenUnknown(Role, reason: String)
    case issuerForeign(Role, expected: String, found: String?)
    case tokenExpired(Role, AccessToken, now: Date)
    case tokenEnded(Role, AccessToken, TokenEnd)
    case scopeWidened([String], granted: ScopeList)
    case chainTooLong(Int)

    var wire: OAuthWire {
        switch self {
        case .scopeWidened:
            OAuthWire(.badRequest, "invalid_scope", "The scope exceeds that of the subject token")
        case .typeMissing, .typeWithoutActor:
            OAuthWire(.badRequest, "invalid_request", "A token and its type belong together")
        case .typeUnsupported, .requestedTypeUnsupported:
            OAuthWire(.badRequest, "invalid_request", "The token type is not supported")
        case .tokenUnknown(let role, _), .issuerForeign(let role, _, _), .tokenExpired(let role, _, _),
            .tokenEnded(let role, _, _):
            OAuthWire(.badRequest, "invalid_request", "The \(role.rawValue)_token is not valid")
        case .chainTooLong: OAuthWire(.badRequest, "invalid_request", "Too many actors")
        }
    }

    var audit: AuditEvent.Kind? {
        if case .scopeWidened = self { return .scopeInvalid }
        return .grantInvalid
    }
}

extension ExchangeRefusal {
    var explanation: String {
        switch self {
        case .typeMissing(let role):
            "The parameter \"\(role.rawValue)_token_type\" is missing; it says what \(role.rawValue)_token is, such as "
                + "\"\(TokenType.accessToken)\" (RFC 8693 §2.1)."
        case .typeWithoutActor: "The parameter actor_token_type came without an actor_token (RFC 8693 §2.1)."
        case .typeUnsupported(let role, let type):
            "The \(role.rawValue)_token_type \"\(type)\" is not supported; this server takes "
                + "\(TokenRefusal.list(TokenType.accepted))."
        case .requestedTypeUnsupported(let type):
            "The requested_token_type \"\(type)\" is not supported; this server issues "
                + "\(TokenRefusal.list(TokenType.issued))."
        case .tokenUnknown(let role, let reason):
            "The \(role.rawValue)_token is none that this server issued and that can be used here: \(reason)."
        case .issuerForeign(let role, let expected, let found):
            "The \(role.rawValue)_token is an ID token of another issuer: expected iss \"\(expected)\", found "
                + "\(found.map { "\"\($0.prefix(200))\"" } ?? "none"); it is of another world or server that has the same key."
        case .tokenExpired(let role, let token, let now):
            "The \(role.rawValue)_token of \(token.owner) expired \(now.seconds(since: token.expiresAt)) s ago."
        case .tokenEnded(let role, let token, let end):
            "The \(role.rawValue)_token of \(token.owner) was \(end.reason.words) at \(Timestamp.text(end.at))."
        case .scopeWidened(let names, let granted):
            "The scopes \(TokenRefusal.list(names)) are more than the subject_token has, \"\(granted.text)\"."
        case .chainTooLong(let limit):
            "The token was handed on \(limit) times already; this server does not follow longer chains of actors."
        }
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
