extension ConfigurationFixture {
    /// Sign-in with accounts of others. Source: the member `third_party` of Hanko's configuration 2.7.
    struct ThirdParty: Codable, Sendable, Equatable {
        /// Where providers send the browser back to: Hanko's own `/thirdparty/callback` when left out.
        var redirectURL: String?
        var errorRedirectURL: String?
        var defaultRedirectURL: String?
        /// Patterns with `*` and `**`.
        var allowedRedirectURLs: [String]?
        /// The providers that Hanko knows by name, such as `google`; endpoints are those of the emulated one.
        var providers: [String: Provider]?
        /// Providers of the configuration's own; clients call them `custom_NAME`.
        var customProviders: [String: Provider]?

        enum CodingKeys: String, CodingKey {
            case redirectURL = "redirect_url"
            case errorRedirectURL = "error_redirect_url"
            case defaultRedirectURL = "default_redirect_url"
            case allowedRedirectURLs = "allowed_redirect_urls"
            case providers
            case customProviders = "custom_providers"
        }

        struct Provider: Codable, Sendable, Equatable {
            var isEnabled: Bool?
            var displayName: String?
            var allowsLinking: Bool?
            var clientID: String?
            var secret: String?
            var scopes: [String]?
            var usesDiscovery: Bool?
            /// With discovery; without it the three endpoints count.
            var issuer: String?
            var authorizationEndpoint: String?
            var tokenEndpoint: String?
            var userinfoEndpoint: String?
            /// Names of claims at the provider, by the names that Hanko gives them.
            var attributeMapping: [String: String]?
            /// The parameter `prompt` of the authentication request.
            var prompt: String?
            var acrValues: [String]?

            enum CodingKeys: String, CodingKey {
                case isEnabled = "enabled"
                case displayName = "display_name"
                case allowsLinking = "allow_linking"
                case clientID = "client_id"
                case secret, scopes
                case usesDiscovery = "use_discovery"
                case issuer
                case authorizationEndpoint = "authorization_endpoint"
                case tokenEndpoint = "token_endpoint"
                case userinfoEndpoint = "userinfo_endpoint"
                case attributeMapping = "attribute_mapping"
                case prompt
                case acrValues = "acr_values"
            }
        }
    }
}
