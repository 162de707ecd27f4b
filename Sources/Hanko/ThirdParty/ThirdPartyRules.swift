import PlatformKit

/// How people sign in with accounts of others. Source: Hanko 2.7, `third_party`.
struct ThirdPartyRules: ConfigurationSection {
    /// Those that are switched on, the well-known ones first, each group by name.
    private(set) var providers: [ThirdPartyProvider] = []
    /// Where providers send the browser back to; nil for our own callback at the address that the client knows.
    private(set) var redirectURL: String?
    private(set) var errorRedirectURL: String?
    private(set) var defaultRedirectURL: String?
    private var allowedRedirectURLs: [URLPattern] = []
    private var errorRedirectPattern: URLPattern?
    /// Names of all that the configuration speaks of, enabled or not.
    private var configured: Set<String> = []

    static let members: [ConfigurationMember<Self>] = [
        .taking("providers") { (rules, given: [String: ThirdPartyProvider]) in
            try rules.add(wellKnown: given)
        },
        // Clients call them `custom_NAME`.
        .taking("custom_providers") { (rules, given: [String: ThirdPartyProvider]) in
            try rules.add(custom: given)
        },
        .optional("redirect_url", \.redirectURL), .optional("default_redirect_url", \.defaultRedirectURL),
        .taking("error_redirect_url") { (rules, url: String) in
            rules.errorRedirectURL = url
            rules.errorRedirectPattern = try URLPattern(url)
        },
        .value("allowed_redirect_urls", \.allowedRedirectURLs),
    ]

    private mutating func add(wellKnown given: [String: ThirdPartyProvider]) throws {
        for (id, provider) in given.sorted(by: { $0.key < $1.key }) {
            guard let name = Self.displayNames[id] else {
                throw FixtureProblem(
                    at: [id],
                    "Hanko knows \(Self.displayNames.keys.sorted().joined(separator: ", ")); "
                        + "others stand under “custom_providers”")
            }
            configured.insert(id)
            if provider.isEnabled { providers.append(provider.wellKnown(id, name: name)) }
        }
    }

    private mutating func add(custom given: [String: ThirdPartyProvider]) throws {
        for (name, provider) in given.sorted(by: { $0.key < $1.key }) {
            configured.insert("custom_" + name.lowercased())
            guard provider.isEnabled else { continue }
            guard !provider.clientID.isEmpty else {
                throw FixtureProblem(at: [name], "a provider that is enabled needs a “client_id”")
            }
            providers.append(provider.custom(name))
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

    /// Those of the allowed URLs and the one for errors that fit a whole URL, which has no slash at its end.
    func patterns(fitting url: String) -> [String] {
        (allowedRedirectURLs + (errorRedirectPattern.map { [$0] } ?? [])).filter { $0.matches(url) }.map(
            \.text)
    }

    /// For sentences.
    var allowedPatterns: [String] { allowedRedirectURLs.map(\.text) }
}
