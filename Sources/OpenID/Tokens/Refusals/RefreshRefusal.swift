import Essentials
import HTTP
import PlatformKit

/// Why a refresh token brings no tokens. Source: RFC 6749 §6, §5.2; RFC 9700 §4.14.2.
enum RefreshRefusal: AuditedRefusal, Equatable {
    case unknown
    case foreign(clientID: String, caller: String)
    /// The platform that mounts the server does not want it here.
    case notAccepted(clientID: String)
    case expired(RefreshToken, now: Date)
    case ended(TokenEnd, now: Date)
    case reused(RefreshToken, at: Date, graceSeconds: Int, now: Date)
    case scopeWidened([String], granted: ScopeList)

    init(_ reason: RefreshFailure.Reason, _ token: RefreshToken?, _ call: ClientCall) {
        switch (reason, token) {
        case (.foreign(let owner), _): self = .foreign(clientID: owner, caller: call.client.id)
        case (.notAccepted, _): self = .notAccepted(clientID: call.client.id)
        case (.ended(let end), _): self = .ended(end, now: call.now)
        case (.expired, let token?): self = .expired(token, now: call.now)
        case (.reused(let at), let token?):
            self = .reused(token, at: at, graceSeconds: call.client.refreshGraceSeconds, now: call.now)
        case (.unknown, _), (.expired, nil), (.reused, nil): self = .unknown
        }
    }

    var wire: OAuthWire {
        switch self {
        case .scopeWidened: OAuthWire(.badRequest, "invalid_scope", "The scope exceeds what was granted")
        case .expired: OAuthWire(.badRequest, "invalid_grant", "The refresh token expired")
        default: OAuthWire(.badRequest, "invalid_grant", "The refresh token is not valid")
        }
    }

    var audit: AuditEvent.Kind? {
        switch self {
        case .scopeWidened: .scopeInvalid
        case .expired: .refreshTokenExpired
        default: .refreshTokenInvalid
        }
    }
}

extension RefreshRefusal {
    var explanation: String {
        switch self {
        case .unknown:
            "No refresh token has this text: it may be cut off, an access token, or of another world or server."
        case .foreign(let owner, let caller):
            "The refresh token was issued to the client \"\(owner)\", and \"\(caller)\" wants to use it."
        case .notAccepted(let client):
            "The refresh token is known, but not for what the other parameters of the client \"\(client)\" name."
        case .expired(let token, let now):
            "The refresh token expired \(now.seconds(since: token.expiresAt)) s ago, at "
                + "\(Timestamp.text(token.expiresAt)); it was issued at \(Timestamp.text(token.issuedAt)). The user has "
                + "to log in again."
        case .ended(let end, let now):
            "The refresh token was \(end.reason.words) \(now.seconds(since: end.at)) s ago, at "
                + "\(Timestamp.text(end.at))."
        case .reused(let token, let at, let grace, let now):
            "The client \"\(token.clientID)\" traded this refresh token for a new one \(now.seconds(since: at)) s ago, at "
                + "\(Timestamp.text(at)), and it came again after the grace window of \(grace) s: either the client did not "
                + "keep the new one, or somebody else has a copy. All tokens of this login were ended (RFC 9700 §4.14.2)."
        case .scopeWidened(let names, let granted):
            "The scopes \(TokenRefusal.list(names)) are more than the refresh token stands for, \"\(granted.text)\"; a "
                + "refresh may ask for less, never for more (RFC 6749 §6)."
        }
    }
}
