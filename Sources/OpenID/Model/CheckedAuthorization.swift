import Essentials
package import HTTP
import PlatformKit

/// An authorization request in which everything is right, as a platform keeps it that asks the user itself.
package struct CheckedAuthorization: Codable, Sendable, Equatable {
    package let clientID: String
    package let redirectURI: String
    /// Nil for `query`.
    let responseMode: String?
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
    /// `dpop_jkt`
    var proofKey: String?

    enum CodingKeys: String, CodingKey {
        case scope, state, nonce, claims, challenge, issuer
        case clientID = "client_id"
        case redirectURI = "redirect_uri"
        case responseMode = "response_mode"
        case namesRedirectURI = "names_redirect_uri"
        case challengeMethod = "challenge_method"
        case loginHint = "login_hint"
        case proofKey = "dpop_jkt"
    }

    init(_ asked: AuthorizationRequest) {
        (clientID, redirectURI) = (asked.client.id, asked.target.redirectURI)
        responseMode = asked.target.mode == .query ? nil : asked.target.mode.rawValue
        (namesRedirectURI, scope) = (asked.namesRedirectURI, asked.scope.text)
        (state, nonce, claims) = (asked.target.state, asked.nonce, asked.claims?.json)
        (challenge, challengeMethod) = (asked.challenge?.text, asked.challenge?.method)
        (issuer, loginHint, proofKey) = (asked.target.issuer, asked.loginHint, asked.proofKey)
    }

    /// For a code that no browser asked for: the client's first redirect URI, with the scopes that it may ask for.
    package init(of client: Client, redirectURI: String, issuer: String) {
        (clientID, self.redirectURI, self.issuer) = (client.id, redirectURI, issuer)
        (namesRedirectURI, scope) = (false, client.scopes.text)
        (state, nonce, claims, challenge, challengeMethod, loginHint) = (nil, nil, nil, nil, nil, nil)
        responseMode = nil
    }

    private var mode: ResponseMode { responseMode.flatMap(ResponseMode.init(rawValue:)) ?? .query }

    /// Whether a browser takes the code in a form, which no URL alone makes it do.
    package var postsForm: Bool { mode == .formPost }

    /// Where the browser takes a code; for a form, what stands behind `#` are its fields, see ``response(to:)``. A registered redirect URI
    /// has no fragment of its own. Source: RFC 6749 §3.1.2.
    package func redirect(with code: String) -> String { redirect([("code", code)]) }

    /// Where the browser takes the news that there will be no code, in the same way. Source: RFC 6749 §4.1.2.1.
    package func redirect(refusing error: String) -> String { redirect([("error", error)]) }

    private func redirect(_ members: [(name: String, value: String)]) -> String {
        let members = members + (state.map { [("state", $0)] } ?? [])
        return mode == .query
            ? AuthorizationTarget.appending(members, to: redirectURI)
            : redirectURI + "#" + Form.encode(members)
    }

    /// The answer that takes a browser to what ``redirect(with:)`` gave.
    package func response(to redirect: String) -> Response {
        guard postsForm else { return .seeOther(redirect) }
        return FormPostPage.make(redirectURI, fields(of: redirect)).response
    }

    /// What a form takes along to the redirect URI.
    package func fields(of redirect: String) -> [(name: String, value: String)] {
        Form(String(redirect.drop { $0 != "#" }.dropFirst())).pairs
    }
}
