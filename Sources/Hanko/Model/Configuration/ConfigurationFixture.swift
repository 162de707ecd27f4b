/// The member `config` of the fixtures: Hanko's own configuration file, every key optional.
///
/// The classic profile reads `service`, `webauthn.relying_party.id`, `email`, `password.enabled` and `min_length`, `session`,
/// `mfa`, `account`, `rate_limiter` and `server`; the other keys are kept for the endpoints that are still missing.
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

    enum CodingKeys: String, CodingKey {
        case service, webauthn, email, password, passkey, username, session, mfa, privacy, account
        case rateLimiter = "rate_limiter"
        case server
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

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case passcode = "passcode_limits"
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
