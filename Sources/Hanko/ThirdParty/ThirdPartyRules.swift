import PlatformKit

/// How people sign in with accounts of others. Source: Hanko 2.7, `third_party`.
struct ThirdPartyRules: Sendable, Equatable {
    /// Those that are switched on, the well-known ones first, each group by name.
    let providers: [ThirdPartyProvider]
    /// Where providers send the browser back to; nil for our own callback at the address that the client knows.
    let redirectURL: String?
    let errorRedirectURL: String?
    let defaultRedirectURL: String?
    private let allowedRedirectURLs: [URLPattern]

    init(_ config: ConfigurationFixture.ThirdParty?) throws {
        let path = ["config", "third_party"]
        let known = (config?.providers ?? [:]).sorted { $0.key < $1.key }
        let custom = (config?.customProviders ?? [:]).sorted { $0.key < $1.key }
        if let unknown = known.first(where: { Self.displayNames[$0.key] == nil }) {
            throw FixtureProblem(
                at: path + ["providers", unknown.key],
                "Hanko knows \(Self.displayNames.keys.sorted().joined(separator: ", ")); "
                    + "others stand under \"custom_providers\"")
        }
        providers =
            try known.compactMap { id, config in
                try ThirdPartyProvider(
                    id, config, name: Self.displayNames[id] ?? id, at: path + ["providers", id])
            }
            + custom.compactMap { id, config in
                try ThirdPartyProvider(
                    "custom_" + id, config, name: config.displayName ?? id,
                    at: path + ["custom_providers", id])
            }
        redirectURL = config?.redirectURL
        errorRedirectURL = config?.errorRedirectURL
        defaultRedirectURL = config?.defaultRedirectURL
        allowedRedirectURLs = (config?.allowedRedirectURLs ?? []).map(URLPattern.init)
    }

    /// Source: Hanko 2.7.
    private static let displayNames = [
        "apple": "Apple", "discord": "Discord", "facebook": "Facebook", "github": "GitHub",
        "google": "Google", "linkedin": "LinkedIn", "microsoft": "Microsoft",
    ]

    func provider(_ id: String) -> ThirdPartyProvider? { providers.first { $0.id == id } }

    /// What people call the provider that clients know as `provider`.
    func displayName(of provider: String) -> String {
        self.provider(provider)?.displayName ?? Self.displayNames[provider] ?? provider
    }

    /// Names of the providers, as `/.well-known/config` shows them; nil for none.
    var names: [String]? { providers.isEmpty ? nil : providers.map(\.displayName) }

    /// Whether a browser may be sent to `url` at the end. A slash at its end makes no difference.
    func allows(redirect url: String) -> Bool {
        let url = url.hasSuffix("/") ? String(url.dropLast()) : url
        return allowedRedirectURLs.contains { $0.matches(url) }
    }

    /// For sentences.
    var allowedPatterns: [String] { allowedRedirectURLs.map(\.text) }
}

extension ThirdPartyProvider {
    /// Nil for one that is switched off.
    fileprivate init?(
        _ id: String, _ config: ConfigurationFixture.ThirdParty.Provider, name: String, at path: [String]
    ) throws {
        guard config.isEnabled ?? false else { return nil }
        guard let clientID = config.clientID, !clientID.isEmpty else {
            throw FixtureProblem(at: path, "a provider that is enabled needs a \"client_id\"")
        }
        self.init(
            id: id, displayName: name, allowsLinking: config.allowsLinking ?? false, clientID: clientID,
            secret: config.secret, scopes: config.scopes ?? ["openid", "email", "profile"],
            issuer: config.issuer,
            authorizationEndpoint: config.usesDiscovery == true ? nil : config.authorizationEndpoint,
            tokenEndpoint: config.usesDiscovery == true ? nil : config.tokenEndpoint,
            userinfoEndpoint: config.usesDiscovery == true ? nil : config.userinfoEndpoint,
            attributeMapping: config.attributeMapping ?? [:])
    }
}
