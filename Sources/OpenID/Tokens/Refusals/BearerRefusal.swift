import Essentials
import HTTP
import PlatformKit

/// Why a request with an access token, or without one, is refused. Source: RFC 6750 §3.
enum BearerRefusal: OAuthRefusal, Equatable {
    /// - Parameter scheme: of the `Authorization` that came, where it was another.
    /// - Parameter takesDPoP: whether bound tokens are taken beside those.
    case missing(scheme: String?, isInQuery: Bool, takesDPoP: Bool)
    case sentTwice
    /// - Parameter reason: what this server could find out, without a full stop.
    case unknown(reason: String)
    case expired(AccessToken, now: Date)
    case ended(AccessToken, TokenEnd, now: Date)
    /// Its uses are limited.
    case wornOut(AccessToken)
    case scopeLacking(String, AccessToken)
    /// Of a client for itself, where a user is asked for.
    case userless(AccessToken)
    /// It is bound to a key and came as a bearer token.
    case bound(AccessToken)
    /// It is bound to no key and came as if it were.
    case unbound(AccessToken)

    var wire: OAuthWire {
        switch self {
        case .missing: OAuthWire(.unauthorized, "invalid_token", headers: [("WWW-Authenticate", "Bearer")])
        case .sentTwice: challenge(.badRequest, "invalid_request", "The access token was sent in two ways")
        case .unknown: challenge(.unauthorized, "invalid_token", "The access token is not known")
        case .expired: challenge(.unauthorized, "invalid_token", "The access token expired")
        case .ended, .wornOut:
            challenge(.unauthorized, "invalid_token", "The access token is not good any more")
        case .scopeLacking(let scope, _):
            challenge(.forbidden, "insufficient_scope", "The access token lacks a scope", scope: scope)
        case .userless: challenge(.unauthorized, "invalid_token", "The access token belongs to no user")
        case .bound:
            challenge(
                .unauthorized, "invalid_token", "The access token is bound to a key", of: "DPoP",
                more: ", " + DPoPRefusal.algorithms)
        case .unbound:
            challenge(.unauthorized, "invalid_token", "The access token is a bearer token")
        }
    }

    /// Who sent no token is told no error. Source: RFC 6750 §3.1.
    func response() -> Response {
        guard case .missing(_, _, let takesDPoP) = self else { return wire.response }
        // RFC 9449 §7.2
        let challenge = takesDPoP ? "Bearer, DPoP " + DPoPRefusal.algorithms : "Bearer"
        return Response(
            status: .unauthorized, headers: ["WWW-Authenticate": challenge, "Cache-Control": "no-store"])
    }

    private func challenge(
        _ status: Status, _ error: String, _ description: String, scope: String? = nil,
        of scheme: String = "Bearer", more: String = ""
    ) -> OAuthWire {
        var field = "\(scheme) error=\"\(error)\", error_description=\"\(description)\""
        if let scope { field += ", scope=\"\(scope)\"" }
        return OAuthWire(status, error, description, headers: [("WWW-Authenticate", field + more)])
    }
}

extension BearerRefusal {
    var explanation: String {
        switch self {
        case .missing(let scheme, let isInQuery, _):
            "Expected an access token as \"Authorization: Bearer …\", found \(Self.found(scheme, isInQuery))."
        case .sentTwice:
            "Expected the access token in one place, found it both in the header field Authorization and elsewhere "
                + "in the request, or more than once (RFC 6750 §2)."
        case .unknown(let reason): "The access token is none that this server issued: \(reason)."
        case .expired(let token, let now):
            "The access token of \(token.owner) expired \(now.seconds(since: token.expiresAt)) s ago, at "
                + "\(Timestamp.text(token.expiresAt)); it was good for "
                + "\(token.expiresAt.seconds(since: token.issuedAt)) s. Refresh it or log in again."
        case .ended(let token, let end, let now):
            "The access token of \(token.owner) was \(end.reason.words) \(now.seconds(since: end.at)) s ago, at "
                + "\(Timestamp.text(end.at))."
        case .wornOut(let token):
            "The access token of \(token.owner) was used \(token.uses) times, as often as its scope "
                + "\"\(token.scope.text)\" allows."
        case .scopeLacking(let scope, let token):
            "This call needs an access token with the scope \"\(scope)\"; the one that came is of \(token.owner) "
                + "and has \(token.scope.isEmpty ? "none" : "\"\(token.scope.text)\"")."
        case .userless(let token):
            "The access token belongs to the client \"\(token.clientID)\" itself and stands for no user, so that there is "
                + "nobody to tell about; a login brings a token that does."
        case .bound(let token):
            "The access token of \(token.owner) is bound to the key with the thumbprint \(token.proofKey ?? "") and came as a bearer "
                + "token: send \"Authorization: DPoP …\" and a proof in the header field DPoP (RFC 9449 §7.1)."
        case .unbound(let token):
            "The access token of \(token.owner) is bound to no key and came as \"Authorization: DPoP …\": send it as "
                + "\"Authorization: Bearer …\", or ask for it with a DPoP proof."
        }
    }

    private static func found(_ scheme: String?, _ isInQuery: Bool) -> String {
        if isInQuery {
            return "it in the query, where it would end up in logs; this server does not take it from there"
        }
        return scheme.map { "the scheme \"\($0)\"" } ?? "no such header field"
    }
}

extension AccessToken {
    /// For a sentence.
    var owner: String {
        (subject.map { "user \"\($0)\" and " } ?? "") + "client \"\(clientID)\""
    }
}

extension Date {
    /// Whole seconds, rounded down.
    func seconds(since earlier: Date) -> Int {
        Int(exactly: timeIntervalSince(earlier).rounded(.down)) ?? 0
    }
}
