import Essentials
import HTTP
import PlatformKit

/// Why a request with an access token, or without one, is refused. Source: RFC 6750 §3.
struct BearerRefusal: OAuthRefusal, Equatable {
    let wire: OAuthWire
    let explanation: String
    /// Of who sent no token, which schemes there are: they are told no error. Source: RFC 6750 §3.1.
    private var schemes: String?

    private init(
        _ status: Status, _ error: String, _ description: String, scope: String? = nil,
        of scheme: String = "Bearer", more: String = "", explanation: String
    ) {
        var field = "\(scheme) error=\"\(error)\", error_description=\"\(description)\""
        if let scope { field += ", scope=\"\(scope)\"" }
        wire = OAuthWire(status, error, description, headers: [("WWW-Authenticate", field + more)])
        self.explanation = explanation
    }

    private init(schemes: String, explanation: String) {
        wire = OAuthWire(.unauthorized, "invalid_token", headers: [("WWW-Authenticate", "Bearer")])
        (self.schemes, self.explanation) = (schemes, explanation)
    }

    func response() -> Response {
        guard let schemes else { return wire.response }
        return Response(
            status: .unauthorized, headers: ["WWW-Authenticate": schemes, "Cache-Control": "no-store"])
    }
}

extension BearerRefusal {
    /// - Parameter scheme: of the `Authorization` that came, where it was another.
    /// - Parameter takesDPoP: whether bound tokens are taken beside those.
    static func missing(scheme: String?, isInQuery: Bool, takesDPoP: Bool) -> Self {
        let found =
            if isInQuery {
                "it in the query, where it would end up in logs; this server does not take it from there"
            } else { scheme.map { "the scheme “\($0)”" } ?? "no such header field" }
        return Self(
            // RFC 9449 §7.2
            schemes: takesDPoP ? "Bearer, DPoP " + DPoPRefusal.algorithms : "Bearer",
            explanation: "Expected an access token as “Authorization: Bearer …”, found \(found).")
    }

    static var sentTwice: Self {
        Self(
            .badRequest, "invalid_request", "The access token was sent in two ways",
            explanation:
                "Expected the access token in one place, found it both in the header field Authorization and elsewhere "
                + "in the request, or more than once (RFC 6750 §2).")
    }

    /// - Parameter reason: what this server could find out, without a full stop.
    static func unknown(reason: String) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token is not known",
            explanation: "This server did not issue the access token: \(reason).")
    }

    static func expired(_ token: AccessToken, now: Date) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token expired",
            explanation:
                "The access token of \(token.owner) expired \(now.seconds(since: token.expiresAt)) s ago, at "
                + "\(Timestamp.text(token.expiresAt)); it was valid for "
                + "\(token.expiresAt.seconds(since: token.issuedAt)) s. Refresh it or log in again.")
    }

    static func ended(_ token: AccessToken, _ end: TokenEnd, now: Date) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token is not good any more",
            explanation:
                "The access token of \(token.owner) was \(end.reason.words) \(now.seconds(since: end.at)) s ago, at "
                + "\(Timestamp.text(end.at)).")
    }

    /// Its uses are limited.
    static func wornOut(_ token: AccessToken) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token is not good any more",
            explanation:
                "The access token of \(token.owner) was used \(token.uses.counted("time")), as often as its scope "
                + "“\(token.scope.text)” allows.")
    }

    static func scopeLacking(_ scope: String, _ token: AccessToken) -> Self {
        Self(
            .forbidden, "insufficient_scope", "The access token lacks a scope", scope: scope,
            explanation:
                "This call needs an access token with the scope “\(scope)”; the one that came is of \(token.owner) "
                + "and has \(token.scope.isEmpty ? "none" : "“\(token.scope.text)”").")
    }

    /// Of a client for itself, where a user is asked for.
    static func userless(_ token: AccessToken) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token belongs to no user",
            explanation:
                "The access token belongs to the client “\(token.clientID)” itself and stands for no user, so that there is "
                + "nobody to tell about; a login brings a token that does.")
    }

    /// It is bound to a key and came as a bearer token.
    static func bound(_ token: AccessToken) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token is bound to a key", of: "DPoP",
            more: ", " + DPoPRefusal.algorithms,
            explanation:
                "The access token of \(token.owner) is bound to the key with the thumbprint \(token.proofKey ?? "") and came as a bearer "
                + "token: send “Authorization: DPoP …” and a proof in the header field DPoP (RFC 9449 §7.1)."
        )
    }

    /// It is bound to no key and came as if it were.
    static func unbound(_ token: AccessToken) -> Self {
        Self(
            .unauthorized, "invalid_token", "The access token is a bearer token",
            explanation:
                "The access token of \(token.owner) is bound to no key and came as “Authorization: DPoP …”: send it as "
                + "“Authorization: Bearer …”, or ask for it with a DPoP proof.")
    }
}

extension AccessToken {
    /// For a sentence.
    var owner: String {
        (subject.map { "user “\($0)” and " } ?? "") + "client “\(clientID)”"
    }
}
