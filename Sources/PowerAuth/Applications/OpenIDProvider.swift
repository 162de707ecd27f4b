import HTTP
import OpenID

/// An OpenID Connect provider of an application, by which apps activate without a code. A URI that is a path is one of this server
/// itself, whatever its address and world.
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
    func settings(_ request: Request) -> ProviderSettings {
        func called(_ uri: String?) -> String? { uri.map { $0.hasPrefix("/") ? request.ownURL + $0 : $0 } }
        var settings = ProviderSettings(
            issuer: Self.seen(issuerUri, request), clientID: clientId, clientSecret: clientSecret,
            redirectURI: Self.seen(redirectUri, request))
        settings.metadataBase = called(issuerUri)
        settings.tokenEndpoint = called(tokenUri)
        settings.keysEndpoint = called(jwkSetUri)
        settings.clientAuthenticationMethod = clientAuthenticationMethod
        settings.signatureAlgorithm = signatureAlgorithm
        return settings
    }

    /// With its addresses as who asks knows them.
    func seen(by request: Request) -> OpenIDProvider {
        var seen = self
        seen.issuerUri = Self.seen(issuerUri, request)
        seen.redirectUri = Self.seen(redirectUri, request)
        seen.authorizeUri = authorizeUri.map { Self.seen($0, request) }
        seen.tokenUri = tokenUri.map { Self.seen($0, request) }
        seen.jwkSetUri = jwkSetUri.map { Self.seen($0, request) }
        return seen
    }

    /// An address as apps and browsers know it.
    static func seen(_ uri: String, _ request: Request) -> String {
        uri.hasPrefix("/") ? request.worldURL + uri : uri
    }
}
