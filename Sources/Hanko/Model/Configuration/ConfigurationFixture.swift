/// The member `config` of the fixtures: Hanko's own configuration file, every key optional.
///
/// Source: the configuration of Hanko 2.7.
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
    var emailDelivery: Switch?
    var securityNotifications: SecurityNotifications?
    var isDebug: Bool?

    enum CodingKeys: String, CodingKey {
        case service, webauthn, email, password, passkey, username, session, mfa, privacy, account
        case rateLimiter = "rate_limiter"
        case server, webhooks
        case auditLog = "audit_log"
        case thirdParty = "third_party"
        case emailDelivery = "email_delivery"
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

    struct AuditLog: Codable, Sendable, Equatable {
        var consoleOutput: Switch?
        var storage: Switch?

        enum CodingKeys: String, CodingKey {
            case consoleOutput = "console_output"
            case storage
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

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
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

        struct Public: Codable, Sendable, Equatable {
            var cors: CORS?
        }

        struct CORS: Codable, Sendable, Equatable {
            var allowedOrigins: [String]?
            var allowsUnsafeWildcard: Bool?

            enum CodingKeys: String, CodingKey {
                case allowedOrigins = "allow_origins"
                case allowsUnsafeWildcard = "unsafe_wildcard_origin_allowed"
            }
        }
    }
}
