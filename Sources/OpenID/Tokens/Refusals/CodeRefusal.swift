import Essentials
import HTTP
import PlatformKit

/// Why an authorization code brings no tokens: always `invalid_grant`. Sources: RFC 6749 §5.2; RFC 7636 §4.6; RFC 9700 §4.8.2.
enum CodeRefusal: AuditedRefusal, Equatable {
    case unknown
    case foreign(clientID: String, caller: String)
    case reused(spentAt: Date, now: Date)
    case expired(AuthorizationCode, now: Date)
    case redirectMissing(expected: String)
    case redirectWrong(expected: String, found: String)
    /// The authorization request had none, and this one is none of the client's.
    case redirectUnknown(String)
    case verifierMissing(method: String)
    case verifierUnexpected
    case verifierMalformed(String)
    /// - Parameter hash: what the verifier makes of itself.
    case verifierWrong(method: String, challenge: String, hash: String)
    /// S256 was said, and the verifier itself was sent as the challenge.
    /// - Parameter hash: what the challenge should have been.
    case challengePlain(verifier: String, hash: String)
    case ended(TokenEnd)

    var wire: OAuthWire { OAuthWire(.badRequest, "invalid_grant", description) }

    var audit: AuditEvent.Kind? {
        switch self {
        case .verifierMissing, .verifierUnexpected, .verifierMalformed, .verifierWrong, .challengePlain:
            .verifierInvalid
        default: .grantInvalid
        }
    }

    private var description: String {
        switch self {
        case .unknown, .foreign, .reused, .ended: "The authorization code is not valid"
        case .expired: "The authorization code expired"
        case .redirectMissing, .redirectWrong, .redirectUnknown:
            "The redirect_uri is not the one of the authorization request"
        case .verifierMissing: "The code_verifier is missing"
        case .verifierUnexpected: "A code_verifier came, but the authorization request had no code_challenge"
        case .verifierMalformed, .verifierWrong, .challengePlain:
            "The code_verifier does not fit the code_challenge"
        }
    }
}

extension CodeRefusal {
    var explanation: String {
        switch self {
        case .unknown:
            "No authorization code has this text: it may be cut off, percent-encoded twice, of another world or server, "
                + "or its login was ended before it was used."
        case .foreign(let owner, let caller):
            "The authorization code was issued to the client \"\(owner)\", and \"\(caller)\" wants to redeem it."
        case .reused(let spentAt, let now):
            "The authorization code was used \(now.seconds(since: spentAt)) s ago, at \(Timestamp.text(spentAt)), and "
                + "is good for one use; the tokens that it brought were ended (RFC 6749 §4.1.2). A client that retries or "
                + "handles the redirect twice looks like this."
        case .expired(let code, let now):
            "The authorization code expired \(now.seconds(since: code.expiresAt)) s ago; it was good for "
                + "\(code.expiresAt.seconds(since: code.issuedAt)) s, until \(Timestamp.text(code.expiresAt)). "
                + "Redeem a code at once; authorization_code_lifetime among the client's metadata makes it last longer, "
                + "and a clock of the world that was moved ends it sooner."
        case .redirectMissing(let expected):
            "No redirect_uri came; expected \"\(expected)\", because the authorization request had it (RFC 6749 §4.1.3)."
        case .redirectWrong(let expected, let found):
            "Expected the redirect_uri of the authorization request, \"\(expected)\", found \"\(found)\"; they are "
                + "compared letter by letter."
        case .redirectUnknown(let found):
            "The redirect_uri \"\(found)\" came; the authorization request had none, and this is none of the client's."
        case .ended(let end):
            "The login that the authorization code stands for was \(end.reason.words) at \(Timestamp.text(end.at))."
        case .verifierMissing(let method):
            "No code_verifier came, though the authorization request had a code_challenge (\(method)): send the "
                + "verifier that the challenge was made of (RFC 7636 §4.5)."
        case .verifierUnexpected:
            "A code_verifier came, though the authorization request had no code_challenge: the challenge may have been lost "
                + "on the way, or somebody took it away (RFC 9700 §4.8.2)."
        case .verifierMalformed(let verifier):
            "Expected a code_verifier of 43 to 128 letters, digits and -._~ (RFC 7636 §4.1), found "
                + "\(verifier.utf8.count) bytes: \"\(verifier.prefix(200))\"."
        case .challengePlain(let verifier, let hash):
            "The challenge equals the verifier, \"\(verifier)\", although the authorization request said "
                + "code_challenge_method=S256: the challenge has to be the base64url of its SHA-256, \"\(hash)\", or the method plain."
        case .verifierWrong("plain", let challenge, let hash):
            "The verifier is \"\(hash)\", the challenge was \"\(challenge)\"; with the method plain they are the same. "
                + "If the challenge was hashed, the authorization request has to say code_challenge_method=S256."
        case .verifierWrong(_, let challenge, let hash):
            "The verifier hashes to \"\(hash)\", the challenge was \"\(challenge)\": it is the verifier of another request, "
                + "or the challenge was not made as base64url without padding of the SHA-256 of the verifier's text."
        }
    }
}
