import Essentials

/// An authorization request in which everything is right, as a platform keeps it that asks the user itself.
package struct CheckedAuthorization: Codable, Sendable, Equatable {
    package let clientID: String
    package let redirectURI: String
    /// Whether the request named its redirect URI; then the token request must, too. Source: RFC 6749 §4.1.3.
    let namesRedirectURI: Bool
    package let scope: String
    package let state: String?
    let nonce: String?
    /// `claims`. Source: OpenID Connect Core 1.0 §5.5.
    let claims: JSONValue?
    let challenge: String?
    /// `S256` or `plain`
    let challengeMethod: String?
    /// The issuer under which the flow began.
    let issuer: String
    package let loginHint: String?

    enum CodingKeys: String, CodingKey {
        case scope, state, nonce, claims, challenge, issuer
        case clientID = "client_id"
        case redirectURI = "redirect_uri"
        case namesRedirectURI = "names_redirect_uri"
        case challengeMethod = "challenge_method"
        case loginHint = "login_hint"
    }

    init(_ asked: AuthorizationRequest) {
        (clientID, redirectURI) = (asked.client.id, asked.target.redirectURI)
        (namesRedirectURI, scope) = (asked.namesRedirectURI, asked.scope.text)
        (state, nonce, claims) = (asked.target.state, asked.nonce, asked.claims?.json)
        (challenge, challengeMethod) = (asked.challenge?.text, asked.challenge?.method)
        (issuer, loginHint) = (asked.target.issuer, asked.loginHint)
    }

    /// For a code that no browser asked for: the client's first redirect URI, with the scopes that it may ask for.
    package init(of client: Client, redirectURI: String, issuer: String) {
        (clientID, self.redirectURI, self.issuer) = (client.id, redirectURI, issuer)
        (namesRedirectURI, scope) = (false, client.scopes.text)
        (state, nonce, claims, challenge, challengeMethod, loginHint) = (nil, nil, nil, nil, nil, nil)
    }

    /// Where the browser takes a code.
    package func redirect(with code: String) -> String {
        AuthorizationTarget.appending(
            [("code", code)] + (state.map { [("state", $0)] } ?? []), to: redirectURI)
    }
}
