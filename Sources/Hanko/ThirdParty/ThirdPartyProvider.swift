import Essentials
import HTTP
import OpenID

/// A provider that people may sign in with. Source: the member `third_party` of the configuration of Hanko 2.7.
struct ThirdPartyProvider: ConfigurationSection {
    /// As clients name it: `google`, `custom_NAME`.
    private(set) var id = ""
    private(set) var isEnabled = false
    /// Given to those that are the configuration's own.
    private(set) var displayName = ""
    private(set) var allowsLinking = false
    private(set) var clientID = ""
    private(set) var secret: String?
    private(set) var scopes = ["openid", "email", "profile"]
    private var usesDiscovery = false
    /// With discovery; without it the three endpoints count. Without all of them the token server of the same world plays the provider.
    private(set) var issuer: String?
    private var authorizationEndpoint: String?
    private var tokenEndpoint: String?
    private var userinfoEndpoint: String?
    /// Names of claims at the provider, by the names that Hanko gives them.
    private(set) var attributeMapping: [String: String] = [:]
    /// What its page is asked with besides, such as `select_account`.
    private(set) var prompt: String?
    private(set) var acrValues: [String] = []

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("display_name", \.displayName),
        .value("allow_linking", \.allowsLinking), .value("client_id", \.clientID),
        .optional("secret", \.secret), .value("scopes", \.scopes), .value("use_discovery", \.usesDiscovery),
        .optional("issuer", \.issuer), .optional("authorization_endpoint", \.authorizationEndpoint),
        .optional("token_endpoint", \.tokenEndpoint), .optional("userinfo_endpoint", \.userinfoEndpoint),
        .value("attribute_mapping", \.attributeMapping), .text("prompt", \.prompt),
        .value("acr_values", \.acrValues),
    ]

    /// One that Hanko knows by name. The vendor's samples have its client in the environment; whoever plays the provider here has the
    /// client `hanko` for it.
    func wellKnown(_ id: String, name: String) -> ThirdPartyProvider {
        var provider = usable(id, name: name)
        if clientID.isEmpty { (provider.clientID, provider.secret) = ("hanko", "hanko-secret") }
        return provider
    }

    /// One of the configuration's own.
    func custom(_ name: String) -> ThirdPartyProvider {
        usable("custom_" + name.lowercased(), name: displayName.isEmpty ? name : displayName)
    }

    private func usable(_ id: String, name: String) -> ThirdPartyProvider {
        var provider = self
        (provider.id, provider.displayName) = (id, name)
        if usesDiscovery {
            (provider.authorizationEndpoint, provider.tokenEndpoint, provider.userinfoEndpoint) = (
                nil, nil, nil
            )
        }
        return provider
    }

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
