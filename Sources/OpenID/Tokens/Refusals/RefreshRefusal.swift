import Essentials
import HTTP
import PlatformKit

/// Why a refresh token brings no tokens. Source: RFC 6749 §6, §5.2; RFC 9700 §4.14.2.
typealias RefreshRefusal = SubjectRefusal<RefreshToken, AuditEvent.Kind>

extension RefreshRefusal {
    private init(_ description: String, explanation: String) {
        self.init(
            OAuthWire(.badRequest, "invalid_grant", description), event: .refreshTokenInvalid,
            explanation: explanation)
    }

    static var unknown: Self {
        Self(
            "The refresh token is not valid",
            explanation:
                "No refresh token has this text: it may be cut off, an access token, or of another world or server."
        )
    }

    static func foreign(clientID owner: String, caller: String) -> Self {
        Self(
            "The refresh token is not valid",
            explanation:
                "The refresh token was issued to the client “\(owner)”, but “\(caller)” tried to use it.")
    }

    /// The platform that mounts the server does not want it here.
    static func notAccepted(clientID client: String) -> Self {
        Self(
            "The refresh token is not valid",
            explanation:
                "The refresh token is known, but not for what the other parameters of the client “\(client)” name."
        )
    }

    static func expired(_ token: RefreshToken, now: Date) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_grant", "The refresh token expired"), event: .refreshTokenExpired,
            explanation: "The refresh token expired \(now.seconds(since: token.expiresAt)) s ago, at "
                + "\(Timestamp.text(token.expiresAt)); it was issued at \(Timestamp.text(token.issuedAt)). The user has "
                + "to log in again.")
    }

    static func ended(_ end: TokenEnd, now: Date) -> Self {
        Self(
            "The refresh token is not valid",
            explanation: "The refresh token was \(end.reason.words) \(now.seconds(since: end.at)) s ago, at "
                + "\(Timestamp.text(end.at)).")
    }

    static func reused(_ token: RefreshToken, at: Date, graceSeconds grace: Int, now: Date) -> Self {
        Self(
            "The refresh token is not valid",
            explanation:
                "The client “\(token.clientID)” traded this refresh token for a new one \(now.seconds(since: at)) s ago, at "
                + "\(Timestamp.text(at)), and it came again after the grace window of \(grace) s: either the client did not "
                + "keep the new one, or somebody else has a copy. All tokens of this login were ended (RFC 9700 §4.14.2)."
        )
    }

    static func scopeWidened(_ names: [String], granted: ScopeList) -> Self {
        Self(
            OAuthWire(.badRequest, "invalid_scope", "The scope exceeds what was granted"),
            event: .scopeInvalid,
            explanation:
                "The scopes \(TokenRefusal.list(names)) are more than the refresh token stands for, “\(granted.text)”; a "
                + "refresh may ask for less, never for more (RFC 6749 §6).")
    }

    static func of(_ reason: RefreshFailure.Reason, _ token: RefreshToken?, _ call: ClientCall) -> Self {
        switch (reason, token) {
        case (.foreign(let owner), _): .foreign(clientID: owner, caller: call.client.id)
        case (.notAccepted, _): .notAccepted(clientID: call.client.id)
        case (.ended(let end), _): .ended(end, now: call.now)
        case (.expired, let token?): .expired(token, now: call.now)
        case (.reused(let at), let token?):
            .reused(token, at: at, graceSeconds: call.client.refreshGraceSeconds, now: call.now)
        case (.unknown, _), (.expired, nil), (.reused, nil): .unknown
        }
    }
}
