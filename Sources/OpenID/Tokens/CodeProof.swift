import Crypto
import Essentials
import HTTP

extension AuthorizationCode {
    /// Why this code brings no tokens for a request of its own client; nil when it does.
    ///
    /// - Parameter issuer: under which its flow began.
    func refusal(of call: ClientCall, issuer: String) -> CodeRefusal? {
        if call.now >= expiresAt { return .expired(self, now: call.now) }
        return redirectRefusal(call, issuer) ?? verifierRefusal(call.form["code_verifier"])
    }

    /// Source: RFC 6749 §4.1.3.
    private func redirectRefusal(_ call: ClientCall, _ issuer: String) -> CodeRefusal? {
        switch (redirectURI, call.form["redirect_uri"]) {
        case (nil, nil): nil
        case (let expected?, nil): .redirectMissing(expected: expected)
        case (let expected?, let found?):
            RedirectURI.contains(found, in: [expected])
                ? nil : .redirectWrong(expected: expected, found: found)
        case (nil, let found?):
            RedirectURI.contains(found, in: call.client.redirectURIs(at: call.request))
                || RedirectURI.contains(found, in: call.client.redirectURIs(under: issuer, at: call.request))
                ? nil : .redirectUnknown(found)
        }
    }

    /// Source: RFC 7636 §4.6; RFC 9700 §4.8.2 for a verifier without a challenge.
    private func verifierRefusal(_ verifier: String?) -> CodeRefusal? {
        let method = challengeMethod ?? "plain"
        guard let challenge else { return verifier == nil ? nil : .verifierUnexpected }
        guard let verifier else { return .verifierMissing(method: method) }
        guard PKCE.isVerifier(verifier) else { return .verifierMalformed(verifier) }
        if method == "S256", verifier == challenge {
            return .challengePlain(verifier: verifier, hash: PKCE.challenge(of: verifier))
        }
        let made = method == "S256" ? PKCE.challenge(of: verifier) : verifier
        return constantTimeEqual(Array(made.utf8), Array(challenge.utf8))
            ? nil : .verifierWrong(method: method, challenge: challenge, hash: made)
    }
}

/// Proof Key for Code Exchange. Source: RFC 7636.
enum PKCE {
    /// 43 to 128 unreserved characters. Source: RFC 7636 §4.1, §4.2.
    static func isVerifier(_ text: String) -> Bool {
        (43...128).contains(text.utf8.count) && text.utf8.allSatisfy(\.isUnreserved)
    }

    /// `S256`. Source: RFC 7636 §4.2.
    static func challenge(of verifier: String) -> String {
        Base64URL.encode(Digest.sha256(Array(verifier.utf8)))
    }
}
