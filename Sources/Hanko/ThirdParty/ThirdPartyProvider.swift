import HTTP
import OpenID

/// A provider that people may sign in with.
struct ThirdPartyProvider: Sendable, Equatable {
    /// As clients name it: `google`, `custom_NAME`.
    let id: String
    let displayName: String
    let allowsLinking: Bool
    let clientID: String
    let secret: String?
    let scopes: [String]
    /// Nil for the token server of the same world, which then plays the provider.
    let issuer: String?
    let authorizationEndpoint: String?
    let tokenEndpoint: String?
    let userinfoEndpoint: String?
    /// Names of claims at the provider, by the names that Hanko gives them.
    let attributeMapping: [String: String]
    /// What its page is asked with besides, such as `select_account`.
    let prompt: String?
    let acrValues: [String]

    /// As a relying party of the provider needs it.
    ///
    /// - Parameter redirectURI: where the provider sends the browser back to.
    func settings(_ request: Request, redirectURI: String) -> ProviderSettings {
        var settings = ProviderSettings(
            issuer: issuer ?? authorizationEndpoint ?? request.worldURL + Self.tokenServer,
            clientID: clientID, clientSecret: secret, redirectURI: redirectURI)
        if playsItself { settings.metadataBase = request.ownURL + Self.tokenServer }
        settings.authorizationEndpoint = authorizationEndpoint
        settings.tokenEndpoint = tokenEndpoint
        settings.userInfoEndpoint = userinfoEndpoint
        return settings
    }

    /// The page of the provider, at the address that the browser knows.
    func page(_ endpoint: String, _ request: Request) -> String {
        let own = request.ownURL + Self.tokenServer
        return playsItself && endpoint.hasPrefix(own)
            ? request.worldURL + Self.tokenServer + endpoint.dropFirst(own.count) : endpoint
    }

    private var playsItself: Bool { issuer == nil && authorizationEndpoint == nil }

    /// Base path of the token server that lives beside us.
    private static let tokenServer = "/oauth"
}
