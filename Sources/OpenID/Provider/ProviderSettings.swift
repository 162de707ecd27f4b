package import Essentials

/// How we are known to an OpenID Connect provider whose relying party we are.
package struct ProviderSettings: Sendable, Equatable {
    /// What tokens call the provider. Metadata are fetched below it, where nothing else is said.
    package var issuer: String
    /// Where metadata are fetched, when that is another address than ``issuer``.
    package var metadataBase: String?
    package var clientID: String
    /// Nil for a public client, which PKCE protects.
    package var clientSecret: String?
    /// `client_secret_basic` when nil.
    package var clientAuthenticationMethod: String?
    package var redirectURI: String
    /// Endpoints that are not taken from the metadata.
    package var authorizationEndpoint: String?
    package var tokenEndpoint: String?
    package var keysEndpoint: String?
    package var userInfoEndpoint: String?
    /// `RS256` when nil.
    package var signatureAlgorithm: String?

    package init(issuer: String, clientID: String, clientSecret: String?, redirectURI: String) {
        (self.issuer, self.clientID, self.clientSecret) = (issuer, clientID, clientSecret)
        self.redirectURI = redirectURI
    }
}

/// Whom a provider says that somebody is.
package struct ProviderUser: Sendable, Equatable {
    /// `sub`, not empty.
    package let subject: String
    /// All claims, `sub` among them.
    package let claims: [String: JSONValue]

    /// Nil for claims that name nobody.
    package init?(_ claims: [String: JSONValue]) {
        guard let subject = claims["sub"]?.string, !subject.isEmpty else { return nil }
        (self.subject, self.claims) = (subject, claims)
    }
}

/// What comes back from an OpenID Connect provider.
package struct ProviderLogin: Sendable, Equatable {
    /// Authorization code.
    package let code: String
    /// As it was sent to the provider; nil when none was.
    package let nonce: String?
    /// Of PKCE; nil without.
    package let codeVerifier: String?

    package init(code: String, nonce: String?, codeVerifier: String?) {
        (self.code, self.nonce, self.codeVerifier) = (code, nonce, codeVerifier)
    }
}
