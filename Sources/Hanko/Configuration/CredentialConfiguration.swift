import PlatformKit
import WebAuthn

struct WebAuthnConfiguration: ConfigurationSection {
    var relyingParty = Party()
    var timeouts = Timeouts()

    static let members: [ConfigurationMember<Self>] = [
        .section("relying_party", \.relyingParty), .section("timeouts", \.timeouts),
        .ignored("timeout", "not read since 1.0; say “timeouts”"),
        .ignored(
            "user_verification", "not read since 1.0; say “user_verification” of “passkey”"),
    ]

    struct Party: ConfigurationSection {
        /// Domain that passkeys belong to, and the default audience of session tokens.
        var id = "localhost"
        /// The service's name when left out.
        var displayName: String?
        var origins: [Origin] = [.standard]

        static let members: [ConfigurationMember<Self>] = [
            .value("id", \.id), .optional("display_name", \.displayName), .value("origins", \.origins),
            .ignored("origin", "not read since 0.9; say “origins”"),
        ]

        func check() throws {
            guard !id.isEmpty, !id.contains("/"), !id.contains(":") else {
                throw FixtureProblem(
                    at: ["id"],
                    "expected a host name such as “example.com”, without scheme and port, found “\(id)”"
                )
            }
        }
    }

    /// Milliseconds, at most a day; where nothing is said as the standard advises.
    struct Timeouts: ConfigurationSection {
        var registration: Int?
        var login: Int?

        static let members: [ConfigurationMember<Self>] = [
            .optionalNumber("registration", \.registration, 1...86_400_000),
            .optionalNumber("login", \.login, 1...86_400_000),
        ]
    }

    /// An origin as it is, or that of an app whose certificate `keytool` tells the fingerprint of.
    struct Origin: Decodable, Sendable, Equatable {
        static let standard = Origin(text: "http://localhost:8888", origin: "http://localhost:8888")

        /// As the file says it.
        let text: String
        let origin: String
    }
}

struct EmailConfiguration: ConfigurationSection {
    var isEnabled = true
    var isUsedForAuthentication = true
    var isLoginIdentifier = true
    var requiresVerification = true
    var isOptional = false
    var acquiresOnRegistration = true
    var acquiresOnLogin = true
    var limit = 5
    var maxLength = 120
    /// Seconds.
    var passcodeTTL = 300
    var passcodeCharset: PasscodeCharset = .numeric

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("use_for_authentication", \.isUsedForAuthentication),
        .value("use_as_login_identifier", \.isLoginIdentifier),
        .value("require_verification", \.requiresVerification), .value("optional", \.isOptional),
        .value("acquire_on_registration", \.acquiresOnRegistration),
        .value("acquire_on_login", \.acquiresOnLogin), .number("limit", \.limit, 0...1_000_000),
        .number("max_length", \.maxLength), .number("passcode_ttl", \.passcodeTTL),
        .value("passcode_charset", \.passcodeCharset),
    ]

    enum PasscodeCharset: String, Decodable, Sendable { case numeric, alphanumeric }

    var canReceivePasscodes: Bool { isEnabled && isUsedForAuthentication }
}

struct PasswordConfiguration: ConfigurationSection {
    var isEnabled = true
    var isOptional = false
    var acquiresOnRegistration: Acquisition = .always
    var acquiresOnLogin: Acquisition = .never
    /// Characters.
    var minLength = 8
    var allowsRecovery = true

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("optional", \.isOptional),
        .value("acquire_on_registration", \.acquiresOnRegistration),
        .value("acquire_on_login", \.acquiresOnLogin), .number("min_length", \.minLength, 1...72),
        .value("recovery", \.allowsRecovery),
        .ignored("min_password_length", "not read since 1.0; say “min_length”"),
    ]
}

struct PasskeyConfiguration: ConfigurationSection {
    var isEnabled = true
    var isOptional = true
    var acquiresOnRegistration: Acquisition = .always
    var acquiresOnLogin: Acquisition = .always
    var userVerification: UserVerification = .preferred
    var attestationPreference: AttestationPreference = .direct
    var limit = 10

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("optional", \.isOptional),
        .value("acquire_on_registration", \.acquiresOnRegistration),
        .value("acquire_on_login", \.acquiresOnLogin), .value("user_verification", \.userVerification),
        .value("attestation_preference", \.attestationPreference),
        .number("limit", \.limit, 0...1_000_000),
    ]

    enum AttestationPreference: String, Decodable, Sendable { case none, indirect, direct, enterprise }
}

struct UsernameConfiguration: ConfigurationSection {
    var isEnabled = false
    var isOptional = true
    var isLoginIdentifier = true
    var acquiresOnRegistration = true
    var acquiresOnLogin = true
    var minLength = 3
    var maxLength = 32

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("optional", \.isOptional),
        .value("use_as_login_identifier", \.isLoginIdentifier),
        .value("acquire_on_registration", \.acquiresOnRegistration),
        .value("acquire_on_login", \.acquiresOnLogin), .number("min_length", \.minLength),
        .number("max_length", \.maxLength),
    ]
}

struct MFAConfiguration: ConfigurationSection {
    var isEnabled = true
    var isOptional = true
    var acquiresOnRegistration = true
    var acquiresOnLogin = false
    var totp = SwitchConfiguration()
    var securityKeys = SecurityKeys()
    var deviceTrust: DeviceTrust = .prompt
    var deviceTrustDuration: GoDuration = .hours(720)
    var deviceTrustCookie = DeviceTrustCookie()

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .value("optional", \.isOptional),
        .value("acquire_on_registration", \.acquiresOnRegistration),
        .value("acquire_on_login", \.acquiresOnLogin), .section("totp", \.totp),
        .section("security_keys", \.securityKeys), .value("device_trust_policy", \.deviceTrust),
        .duration("device_trust_duration", \.deviceTrustDuration),
        .taking("device_trust_cookie_name") { (mfa, name: String) in
            guard !name.isEmpty else { return }
            try SessionCookie.check(name)
            mfa.deviceTrustCookie.name = name
        },
        // The original takes its default for what is no number of users.
        .taking("device_trust_max_users_per_device") { (mfa, limit: Int) in
            guard limit > 0 else { return }
            try FixtureRules.require(1...100, limit, at: [])
            mfa.deviceTrustCookie.limit = limit
        },
    ]

    /// Whether a device may be trusted, so that the second factor is not asked for again.
    enum DeviceTrust: String, Decodable, Sendable { case always, prompt, never }

    /// Without MFA neither kind of second factor is offered, whatever else is said.
    var offersTOTP: Bool { isEnabled && totp.isEnabled ?? true }
    var offersSecurityKeys: Bool { isEnabled && securityKeys.isEnabled }

    struct SecurityKeys: ConfigurationSection {
        var isEnabled = true
        var limit = 10
        var authenticatorAttachment: AuthenticatorAttachment = .crossPlatform
        var userVerification: UserVerification = .discouraged

        static let members: [ConfigurationMember<Self>] = [
            .value("enabled", \.isEnabled), .number("limit", \.limit, 0...1_000_000),
            .value("authenticator_attachment", \.authenticatorAttachment),
            .value("user_verification", \.userVerification),
            .ignored(
                "attestation_preference",
                "the original asks for security keys with passkey.attestation_preference as well"),
        ]

        enum AuthenticatorAttachment: String, Decodable, Sendable {
            case platform
            case crossPlatform = "cross-platform"
            case noPreference = "no_preference"
        }
    }
}

struct SwitchConfiguration: ConfigurationSection {
    var isEnabled: Bool?

    static let members: [ConfigurationMember<Self>] = [.optional("enabled", \.isEnabled)]
}

extension WebAuthnConfiguration.Origin {
    init(from decoder: any Decoder) throws {
        text = try decoder.singleValueContainer().decode(String.self)
        let mark = "SHA256:"
        let bare = (text.hasPrefix(mark) ? String(text.dropFirst(mark.count)) : text).trimmed
        if let app = AndroidOrigin.origin(fingerprint: bare) {
            origin = app
            return
        }
        guard bare.filter({ $0 != ":" }).wholeMatch(of: /[0-9A-Fa-f]{32,}/) == nil else {
            throw FixtureProblem(at: [], "expected a SHA-256 fingerprint, 32 bytes; the one of SHA-1 has 20")
        }
        origin = text
    }
}

/// When a sign-up or login asks for a credential that the user lacks.
enum Acquisition: String, Decodable, Sendable {
    case always, conditional, never
}
