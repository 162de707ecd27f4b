import Essentials

/// The member `config` of the fixtures: Hanko's own configuration file, every key optional. What is a ``JSONValue`` changes nothing here:
/// see ``ignored``.
///
/// Source: the JSON schema of the configuration of Hanko 2.7 and of 3.x.
struct ConfigurationFixture: Codable, Sendable, Equatable {
    var service: Service?
    var webauthn: WebAuthn?
    var email: Email?
    var password: Password?
    var passkey: Passkey?
    var username: Username?
    var session: Session?
    var mfa: MFA?
    var privacy: Privacy?
    var account: Account?
    var rateLimiter: RateLimiter?
    var server: Server?
    var webhooks: Webhooks?
    var auditLog: AuditLog?
    var thirdParty: ThirdParty?
    var emailDelivery: EmailDelivery?
    /// What ``emailDelivery`` leaves out, in 3.x.
    var defaultEmailDelivery: EmailDelivery?
    /// The place of 3.x; wins over `server.public.cors`.
    var cors: Server.CORS?
    var securityNotifications: SecurityNotifications?
    var isDebug: Bool?
    var database: JSONValue?
    var flowLocker: JSONValue?
    var log: JSONValue?
    var multiTenancy: JSONValue?
    var saml: JSONValue?
    var secrets: JSONValue?
    var secretKeys: JSONValue?
    // Members that 2.7 reads no longer.
    var convertsLegacy: JSONValue?
    var convertsLegacySessions: JSONValue?
    var emails: JSONValue?
    var passcode: JSONValue?
    var smtp: JSONValue?

    enum CodingKeys: String, CodingKey {
        case service, webauthn, email, password, passkey, username, session, mfa, privacy, account
        case rateLimiter = "rate_limiter"
        case server, webhooks, cors, database, log, saml, secrets, emails, passcode, smtp
        case flowLocker = "flow_locker"
        case multiTenancy = "multi_tenancy"
        case secretKeys = "secret_keys"
        case convertsLegacy = "convert_legacy_config"
        case convertsLegacySessions = "convert_legacy_server_side_session_config"
        case auditLog = "audit_log"
        case thirdParty = "third_party"
        case emailDelivery = "email_delivery"
        case defaultEmailDelivery = "default_email_delivery"
        case securityNotifications = "security_notifications"
        case isDebug = "debug"
    }

    struct Switch: Codable, Sendable, Equatable {
        var enabled: Bool?
    }

    struct SecurityNotifications: Codable, Sendable, Equatable {
        /// By the name of the notification; off when left out.
        var notifications: [String: Switch]?
    }

    struct EmailDelivery: Codable, Sendable, Equatable {
        var enabled: Bool?
        var fromAddress: String?
        var fromName: String?
        var smtp: JSONValue?

        enum CodingKeys: String, CodingKey {
            case enabled, smtp
            case fromAddress = "from_address"
            case fromName = "from_name"
        }
    }

    struct AuditLog: Codable, Sendable, Equatable {
        var consoleOutput: Output?
        var storage: Switch?
        var mask: JSONValue?
        var retention: JSONValue?

        enum CodingKeys: String, CodingKey {
            case consoleOutput = "console_output"
            case storage, mask, retention
        }

        struct Output: Codable, Sendable, Equatable {
            var enabled: Bool?
            var output: JSONValue?
        }
    }

    struct Webhooks: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var allowsTimeExpiration: Bool?
        var hooks: [Hook]?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case allowsTimeExpiration = "allow_time_expiration"
            case hooks
        }

        struct Hook: Codable, Sendable, Equatable {
            var callback: String
            var events: [String]
        }
    }

    struct Service: Codable, Sendable, Equatable {
        var name: String?
    }

    struct Privacy: Codable, Sendable, Equatable {
        var showsAccountExistence: Bool?
        var showsOnlyActualMethods: Bool?

        enum CodingKeys: String, CodingKey {
            case showsAccountExistence = "show_account_existence_hints"
            case showsOnlyActualMethods = "only_show_actual_login_methods"
        }
    }

    struct Account: Codable, Sendable, Equatable {
        var allowsSignup: Bool?
        var allowsDeletion: Bool?

        enum CodingKeys: String, CodingKey {
            case allowsSignup = "allow_signup"
            case allowsDeletion = "allow_deletion"
        }
    }

    struct RateLimiter: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var passcode: Limit?
        var otp: Limit?
        var password: Limit?
        var token: Limit?
        var store: JSONValue?
        var redis: JSONValue?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case store
            case redis = "redis_config"
            case passcode = "passcode_limits"
            case otp = "otp_limits"
            case password = "password_limits"
            case token = "token_limits"
        }

        struct Limit: Codable, Sendable, Equatable {
            var tokens: Int?
            /// Such as `1m`.
            var interval: String?
        }
    }

    struct Server: Codable, Sendable, Equatable {
        var `public`: Public?
        /// No schema has it, a file of the vendor's does.
        var cors: JSONValue?
        var admin: JSONValue?
        var management: JSONValue?
        var ip: JSONValue?

        struct Public: Codable, Sendable, Equatable {
            var cors: CORS?
            var address: JSONValue?
        }

        struct CORS: Codable, Sendable, Equatable {
            var allowedOrigins: [String]?
            var allowsUnsafeWildcard: Bool?
            // No schema has these, files of the vendor's do.
            var enabled: JSONValue?
            var allowsCredentials: JSONValue?

            enum CodingKeys: String, CodingKey {
                case enabled
                case allowsCredentials = "allow_credentials"
                case allowedOrigins = "allow_origins"
                case allowsUnsafeWildcard = "unsafe_wildcard_origin_allowed"
            }
        }
    }
}
