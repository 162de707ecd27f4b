import Essentials

/// A mobile application, whose installations may register as devices. The same shape stands in fixtures and in the database.
///
/// Source: Token Server documentation, topic “application configuration”. What is left out has the value named.
struct ApplicationSettings: Sendable, Equatable {
    /// Application identifier, such as `com.example.understudy`.
    var identifier: String
    /// `identifier` when left out.
    var name: String
    /// Where the browser goes back to after a login; schemes of the app's own are allowed.
    var redirectURIs: [String] = []
    /// Scopes that its devices may ask for, separated by spaces; `openid` is always among them.
    var scope = "openid"
    /// Scopes that are granted when a request names none.
    var defaultScope = "openid"
    /// Seconds; also the three below it.
    var authorizationCodeLifetime = 30
    var accessTokenLifetime = 900
    /// From the issuing of each refresh token; 90 days.
    var refreshTokenLifetime = 7_776_000
    /// From the issuing of the first one; a year.
    var refreshTokenMaxLifetime = 31_536_000
    var skipsConsent = true

    /// Whether its devices may register users.
    var allowsUserRegistration = true
    /// Whether a user gets a refresh token, which the PIN protects.
    var hasPINAuthentication = true
    /// How many wrong PINs in a row end a profile; 0 for no limit.
    var maxPINAttempts = 3
    var pinPolicy = PINPolicy()
    /// Whether PINs may be sent to the server, for teams that leave the masking of refresh tokens out.
    var hasConvenienceMode = true
    /// Seconds for which the registration of a user is good; nil for no limit beside that of refresh tokens.
    var registrationValidity: Int?
    /// What users can authenticate with, as the app is told; `PIN` first.
    var authenticators = ["PIN"]
    var customAuthenticators: [String] = []
    var identityProviders: [IdentityProvider] = []
    var resourceGatewayURIs: [String] = []
    /// Pages that may be opened from the app with the user signed in; empty when single sign-on is off.
    var singleSignOnTargets: [String] = []
    /// Web hooks of the config API that have a say in the tokens of its devices.
    var webHookIDs: [String] = []
    var versions: [ApplicationVersion] = []

    init(identifier: String, name: String? = nil) {
        self.identifier = identifier
        self.name = name ?? identifier
    }

    func version(_ name: String, on platform: String) -> ApplicationVersion? {
        versions.first { $0.name == name && $0.platform.rawValue == platform }
    }

    struct IdentityProvider: Codable, Sendable, Equatable {
        var id: String
        var name: String
    }
}

extension ApplicationSettings: Codable {
    enum CodingKeys: String, CodingKey {
        case identifier, name
        case redirectURIs = "redirect_uris"
        case scope
        case defaultScope = "default_scope"
        case authorizationCodeLifetime = "authorization_code_lifetime"
        case accessTokenLifetime = "access_token_lifetime"
        case refreshTokenLifetime = "refresh_token_lifetime"
        case refreshTokenMaxLifetime = "refresh_token_max_lifetime"
        case skipsConsent = "skips_consent"
        case allowsUserRegistration = "user_registration"
        case hasPINAuthentication = "pin_authentication"
        case maxPINAttempts = "max_pin_attempts"
        case pinPolicy = "pin_policy"
        case hasConvenienceMode = "convenience_mode"
        case registrationValidity = "registration_validity"
        case authenticators
        case customAuthenticators = "custom_authenticators"
        case identityProviders = "identity_providers"
        case resourceGatewayURIs = "resource_gateway_uris"
        case singleSignOnTargets = "single_sign_on_targets"
        case webHookIDs = "web_hook_ids"
        case versions
    }

    init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        self.init(
            identifier: try values.decode(String.self, forKey: .identifier),
            name: try values.decodeIfPresent(String.self, forKey: .name))
        try decodeTokens(values)
        try decodeUsers(values)
        try values.read(.identityProviders, into: &identityProviders)
        try values.read(.resourceGatewayURIs, into: &resourceGatewayURIs)
        try values.read(.singleSignOnTargets, into: &singleSignOnTargets)
        try values.read(.webHookIDs, into: &webHookIDs)
        try values.read(.versions, into: &versions)
    }

    private mutating func decodeTokens(_ values: KeyedDecodingContainer<CodingKeys>) throws {
        try values.read(.redirectURIs, into: &redirectURIs)
        try values.read(.scope, into: &scope)
        try values.read(.defaultScope, into: &defaultScope)
        try values.read(.authorizationCodeLifetime, into: &authorizationCodeLifetime)
        try values.read(.accessTokenLifetime, into: &accessTokenLifetime)
        try values.read(.refreshTokenLifetime, into: &refreshTokenLifetime)
        try values.read(.refreshTokenMaxLifetime, into: &refreshTokenMaxLifetime)
        try values.read(.skipsConsent, into: &skipsConsent)
    }

    private mutating func decodeUsers(_ values: KeyedDecodingContainer<CodingKeys>) throws {
        try values.read(.allowsUserRegistration, into: &allowsUserRegistration)
        try values.read(.hasPINAuthentication, into: &hasPINAuthentication)
        try values.read(.maxPINAttempts, into: &maxPINAttempts)
        try values.read(.pinPolicy, into: &pinPolicy)
        try values.read(.hasConvenienceMode, into: &hasConvenienceMode)
        registrationValidity = try values.decodeIfPresent(Int.self, forKey: .registrationValidity)
        try values.read(.authenticators, into: &authenticators)
        try values.read(.customAuthenticators, into: &customAuthenticators)
    }
}

extension KeyedDecodingContainer {
    /// Leaves `value` as it is when the member is not there.
    func read<Value: Decodable>(_ key: Key, into value: inout Value) throws {
        if let found = try decodeIfPresent(Value.self, forKey: key) { value = found }
    }
}
