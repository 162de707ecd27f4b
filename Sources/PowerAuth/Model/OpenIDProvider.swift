import OpenID

/// An OpenID Connect provider of an application, by which apps activate without a code.
struct OpenIDProvider: Codable, Sendable, Equatable {
    var providerId: String
    var clientId: String
    var clientSecret: String?
    var issuerUri: String
    var redirectUri: String
    var scopes: String?
    var authorizeUri: String?
    var tokenUri: String?
    var jwkSetUri: String?
    /// `client_secret_basic` when left out.
    var clientAuthenticationMethod: String?
    var pkceEnabled: Bool?
    /// `RS256` when left out.
    var signatureAlgorithm: String?
    /// For use without a network: any authorization code means this user, and nobody is asked.
    var fakeUser: String?
}

extension OpenIDProvider {
    /// As a relying party needs it.
    var settings: ProviderSettings {
        var settings = ProviderSettings(
            issuer: issuerUri, clientID: clientId, clientSecret: clientSecret, redirectURI: redirectUri)
        settings.tokenEndpoint = tokenUri
        settings.keysEndpoint = jwkSetUri
        settings.clientAuthenticationMethod = clientAuthenticationMethod
        settings.signatureAlgorithm = signatureAlgorithm
        return settings
    }
}
