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
    private let errorRedirectPattern: URLPattern?
    /// Names of all that the configuration speaks of, enabled or not.
    private let configured: Set<String>

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
        configured = Set(known.map(\.key) + custom.map { "custom_" + $0.key.lowercased() })
        providers =
            try known.compactMap { id, config in
                try ThirdPartyProvider(
                    id, config, name: Self.displayNames[id] ?? id, at: path + ["providers", id])
            }
            + custom.compactMap { id, config in
                try ThirdPartyProvider(
                    "custom_" + id.lowercased(), config, name: config.displayName ?? id,
                    at: path + ["custom_providers", id])
            }
        redirectURL = config?.redirectURL
        errorRedirectURL = config?.errorRedirectURL
        defaultRedirectURL = config?.defaultRedirectURL
        allowedRedirectURLs = try (config?.allowedRedirectURLs ?? []).enumerated().map {
            try URLPattern($1, at: path + ["allowed_redirect_urls", String($0)])
        }
        errorRedirectPattern = try errorRedirectURL.map {
            try URLPattern($0, at: path + ["error_redirect_url"])
        }
    }

    /// Source: Hanko 2.7.
    private static let displayNames = [
        "apple": "Apple", "discord": "Discord", "facebook": "Facebook", "github": "GitHub",
        "google": "Google", "linkedin": "LinkedIn", "microsoft": "Microsoft",
    ]

    func provider(_ id: String) -> ThirdPartyProvider? { providers.first { $0.id == id } }

    /// The provider whom a client names, in any case.
    ///
    /// - Throws: ``ThirdPartyRefusal``.
    func enabledProvider(_ name: String) throws(ThirdPartyRefusal) -> ThirdPartyProvider {
        let (id, known) = (name.lowercased(), providers.map(\.id))
        if let provider = provider(id) { return provider }
        guard configured.contains(id) || Self.displayNames[id] != nil else {
            throw .providerUnknown(name, known: known)
        }
        throw .providerDisabled(id, known: known)
    }

    /// What people call the provider that clients know as `provider`.
    func displayName(of provider: String) -> String {
        self.provider(provider)?.displayName ?? Self.displayNames[provider] ?? provider
    }

    /// Names of the providers, as `/.well-known/config` shows them; nil for none.
    var names: [String]? { providers.isEmpty ? nil : providers.map(\.displayName) }

    /// Whether a browser may be sent to `url` at the end: one of the allowed URLs or the one for errors. A slash at its end makes no
    /// difference.
    ///
    /// No pattern stands for user information, as in `http://localhost:3000@evil.test/`: what stands before the at sign of an address is
    /// no host.
    func allows(redirect url: String) -> Bool {
        let url = url.hasSuffix("/") ? String(url.dropLast()) : url
        if URLPattern.namesUser(url) { return false }
        return allowedRedirectURLs.contains { $0.matches(url) } || errorRedirectPattern?.matches(url) == true
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
        var (clientID, secret) = (config.clientID ?? "", config.secret)
        if clientID.isEmpty {
            guard !id.hasPrefix("custom_") else {
                throw FixtureProblem(at: path, "a provider that is enabled needs a \"client_id\"")
            }
            // The vendor's samples have theirs in the environment. Whoever plays the provider here has this client for it.
            (clientID, secret) = ("hanko", "hanko-secret")
        }
        self.init(
            id: id, displayName: name, allowsLinking: config.allowsLinking ?? false, clientID: clientID,
            secret: secret, scopes: config.scopes ?? ["openid", "email", "profile"],
            issuer: config.issuer,
            authorizationEndpoint: config.usesDiscovery == true ? nil : config.authorizationEndpoint,
            tokenEndpoint: config.usesDiscovery == true ? nil : config.tokenEndpoint,
            userinfoEndpoint: config.usesDiscovery == true ? nil : config.userinfoEndpoint,
            attributeMapping: config.attributeMapping ?? [:],
            prompt: config.prompt.flatMap { $0.isEmpty ? nil : $0 }, acrValues: config.acrValues ?? [])
    }
}
