import Essentials
import HTTP
import PlatformKit

/// Why an authorization code brings no tokens: always `invalid_grant`. Sources: RFC 6749 §5.2; RFC 7636 §4.6; RFC 9700 §4.8.2.
typealias CodeRefusal = SubjectRefusal<AuthorizationCode, AuditEvent.Kind>

extension CodeRefusal {
    private init(_ description: String, event: AuditEvent.Kind = .grantInvalid, explanation: String) {
        self.init(
            OAuthWire(.badRequest, "invalid_grant", description), event: event, explanation: explanation)
    }

    static var unknown: Self {
        Self(
            "The authorization code is not valid",
            explanation:
                "No authorization code has this text: it may be cut off, percent-encoded twice, of another world or server, "
                + "or its login was ended before it was used.")
    }

    static func foreign(clientID owner: String, caller: String) -> Self {
        Self(
            "The authorization code is not valid",
            explanation:
                "The authorization code was issued to the client “\(owner)”, but “\(caller)” tried to redeem it."
        )
    }

    static func reused(spentAt: Date, now: Date) -> Self {
        Self(
            "The authorization code is not valid",
            explanation:
                "The authorization code was used \(now.seconds(since: spentAt)) s ago, at \(Timestamp.text(spentAt)), and "
                + "can be used only once; the tokens that it brought were ended (RFC 6749 §4.1.2). A client that retries or "
                + "handles the redirect twice looks like this.")
    }

    static func expired(_ code: AuthorizationCode, now: Date) -> Self {
        Self(
            "The authorization code expired",
            explanation:
                "The authorization code expired \(now.seconds(since: code.expiresAt)) s ago; it was valid for "
                + "\(code.expiresAt.seconds(since: code.issuedAt)) s, until \(Timestamp.text(code.expiresAt)). "
                + "Redeem a code at once; authorization_code_lifetime among the client's metadata makes it last longer, "
                + "and a clock of the world that was moved ends it sooner.")
    }

    static func redirectMissing(expected: String) -> Self {
        Self(
            "The redirect_uri is not the one of the authorization request",
            explanation:
                "No redirect_uri was sent; expected “\(expected)”, because the authorization request had it (RFC 6749 §4.1.3)."
        )
    }

    static func redirectWrong(expected: String, found: String) -> Self {
        Self(
            "The redirect_uri is not the one of the authorization request",
            explanation:
                "Expected the redirect_uri of the authorization request, “\(expected)”, found “\(found)”; they are "
                + "compared letter by letter.")
    }

    /// The authorization request had none, and this one is none of the client's.
    static func redirectUnknown(_ found: String) -> Self {
        Self(
            "The redirect_uri is not the one of the authorization request",
            explanation:
                "The redirect_uri “\(found)” was sent; the authorization request had none, and this is not one of the client's."
        )
    }

    static func verifierMissing(method: String) -> Self {
        Self(
            "The code_verifier is missing", event: .verifierInvalid,
            explanation:
                "No code_verifier was sent, though the authorization request had a code_challenge (\(method)): send the "
                + "verifier that the challenge was made from (RFC 7636 §4.5).")
    }

    static var verifierUnexpected: Self {
        Self(
            "A code_verifier was sent, but the authorization request had no code_challenge",
            event: .verifierInvalid,
            explanation:
                "A code_verifier was sent, though the authorization request had no code_challenge: the challenge may have been lost "
                + "on the way, or somebody took it away (RFC 9700 §4.8.2).")
    }

    static func verifierMalformed(_ verifier: String) -> Self {
        Self(
            "The code_verifier does not fit the code_challenge", event: .verifierInvalid,
            explanation:
                "Expected a code_verifier of 43 to 128 letters, digits and -._~ (RFC 7636 §4.1), found "
                + "\(verifier.utf8.count) bytes: “\(verifier.prefix(200))”.")
    }

    /// - Parameter hash: what the verifier makes of itself.
    static func verifierWrong(method: String, challenge: String, hash: String) -> Self {
        Self(
            "The code_verifier does not fit the code_challenge", event: .verifierInvalid,
            explanation: method == "plain"
                ? "The verifier is “\(hash)”, the challenge was “\(challenge)”; with the method plain they are the same. "
                    + "If the challenge was hashed, the authorization request has to say code_challenge_method=S256."
                : "The verifier hashes to “\(hash)”, the challenge was “\(challenge)”: it is the verifier of another request, "
                    + "or the challenge was not made as base64url without padding of the SHA-256 of the verifier's text."
        )
    }

    /// S256 was said, and the verifier itself was sent as the challenge.
    /// - Parameter hash: what the challenge should have been.
    static func challengePlain(verifier: String, hash: String) -> Self {
        Self(
            "The code_verifier does not fit the code_challenge", event: .verifierInvalid,
            explanation:
                "The challenge equals the verifier, “\(verifier)”, although the authorization request said "
                + "code_challenge_method=S256: the challenge has to be the base64url of its SHA-256, “\(hash)”, or the method plain."
        )
    }

    static func ended(_ end: TokenEnd) -> Self {
        Self(
            "The authorization code is not valid",
            explanation:
                "The login that the authorization code stands for was \(end.reason.words) at \(Timestamp.text(end.at))."
        )
    }
}
