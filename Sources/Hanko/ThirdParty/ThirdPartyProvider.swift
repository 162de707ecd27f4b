import Essentials
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

/// What a provider says of somebody, under the names that Hanko uses.
struct ThirdPartyAccount: Sendable, Equatable {
    let subject: String
    /// Lower case; nil when the provider tells none.
    let address: String?
    let isVerified: Bool
    let name: String?
    let givenName: String?
    let familyName: String?
    let picture: String?
    let claims: JSONValue

    init(_ user: ProviderUser, _ provider: ThirdPartyProvider) {
        func claim(_ name: String) -> JSONValue? { user.claims[provider.attributeMapping[name] ?? name] }
        func text(_ name: String) -> String? {
            claim(name)?.string.flatMap { $0.isEmpty ? nil : $0 }
        }
        subject = user.subject
        address = text("email")?.lowercased()
        // Some providers write booleans as text.
        isVerified = claim("email_verified")?.boolean ?? (text("email_verified") == "true")
        name = text("name")
        givenName = text("given_name")
        familyName = text("family_name")
        picture = text("picture")
        claims = .object(user.claims)
    }
}
