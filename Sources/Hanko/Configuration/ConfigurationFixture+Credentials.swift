import Essentials

extension ConfigurationFixture {
    struct WebAuthn: Codable, Sendable, Equatable {
        var relyingParty: RelyingParty?
        var timeouts: Timeouts?
        var timeout: JSONValue?
        var userVerification: JSONValue?

        enum CodingKeys: String, CodingKey {
            case relyingParty = "relying_party"
            case timeouts, timeout
            case userVerification = "user_verification"
        }

        struct RelyingParty: Codable, Sendable, Equatable {
            var id: String?
            var displayName: String?
            var origins: [String]?
            var origin: JSONValue?

            enum CodingKeys: String, CodingKey {
                case id, origin
                case displayName = "display_name"
                case origins
            }
        }

        /// Milliseconds.
        struct Timeouts: Codable, Sendable, Equatable {
            var registration: Int?
            var login: Int?
        }
    }

    struct Email: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var isUsedForAuthentication: Bool?
        var isLoginIdentifier: Bool?
        var requiresVerification: Bool?
        var isOptional: Bool?
        var acquiresOnRegistration: Bool?
        var acquiresOnLogin: Bool?
        var limit: Int?
        var maxLength: Int?
        /// Seconds.
        var passcodeTTL: Int?
        var passcodeCharset: PasscodeCharset?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case isUsedForAuthentication = "use_for_authentication"
            case isLoginIdentifier = "use_as_login_identifier"
            case requiresVerification = "require_verification"
            case isOptional = "optional"
            case acquiresOnRegistration = "acquire_on_registration"
            case acquiresOnLogin = "acquire_on_login"
            case limit
            case maxLength = "max_length"
            case passcodeTTL = "passcode_ttl"
            case passcodeCharset = "passcode_charset"
        }
    }

    struct Password: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var isOptional: Bool?
        var acquiresOnRegistration: Acquisition?
        var acquiresOnLogin: Acquisition?
        var minLength: Int?
        var allowsRecovery: Bool?
        var oldMinLength: JSONValue?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case isOptional = "optional"
            case acquiresOnRegistration = "acquire_on_registration"
            case acquiresOnLogin = "acquire_on_login"
            case minLength = "min_length"
            case allowsRecovery = "recovery"
            case oldMinLength = "min_password_length"
        }
    }

    struct Passkey: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var isOptional: Bool?
        var acquiresOnRegistration: Acquisition?
        var acquiresOnLogin: Acquisition?
        var userVerification: UserVerification?
        var attestationPreference: AttestationPreference?
        var limit: Int?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case isOptional = "optional"
            case acquiresOnRegistration = "acquire_on_registration"
            case acquiresOnLogin = "acquire_on_login"
            case userVerification = "user_verification"
            case attestationPreference = "attestation_preference"
            case limit
        }
    }

    struct Username: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var isOptional: Bool?
        var isLoginIdentifier: Bool?
        var acquiresOnRegistration: Bool?
        var acquiresOnLogin: Bool?
        var minLength: Int?
        var maxLength: Int?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case isOptional = "optional"
            case isLoginIdentifier = "use_as_login_identifier"
            case acquiresOnRegistration = "acquire_on_registration"
            case acquiresOnLogin = "acquire_on_login"
            case minLength = "min_length"
            case maxLength = "max_length"
        }
    }

    enum PasscodeCharset: String, Codable, Sendable { case numeric, alphanumeric }

    enum UserVerification: String, Codable, Sendable { case required, preferred, discouraged }

    enum AttestationPreference: String, Codable, Sendable { case none, indirect, direct, enterprise }

    enum AuthenticatorAttachment: String, Codable, Sendable {
        case platform
        case crossPlatform = "cross-platform"
        case noPreference = "no_preference"
    }
}
