import Essentials

extension ConfigurationFixture {
    struct Session: Codable, Sendable, Equatable {
        /// Such as `12h`.
        var lifespan: String?
        var cookie: Cookie?
        var usesTokenHeader: Bool?
        var limit: Int?
        /// Such as `30m`; `0` or nothing for none.
        var idleTimeout: String?
        var audience: [String]?
        var issuer: String?
        var keepsAddress: Bool?
        var keepsUserAgent: Bool?
        var allowsRevocation: Bool?
        var showsOnProfile: Bool?
        var template: Template?
        var serverSide: JSONValue?

        enum CodingKeys: String, CodingKey {
            case lifespan, cookie
            case usesTokenHeader = "enable_auth_token_header"
            case limit
            case idleTimeout = "idle_timeout"
            case audience, issuer
            case keepsAddress = "acquire_ip_address"
            case keepsUserAgent = "acquire_user_agent"
            case allowsRevocation = "allow_revocation"
            case showsOnProfile = "show_on_profile"
            case template = "jwt_template"
            case serverSide = "server_side"
        }

        struct Template: Codable, Sendable, Equatable {
            /// See ``ClaimTemplate``.
            var claims: [String: JSONValue]?
        }

        struct Cookie: Codable, Sendable, Equatable {
            var name: String?
            var domain: String?
            var sameSite: SameSite?
            var isSecure: Bool?
            var isHTTPOnly: Bool?
            var retention: Retention?

            enum CodingKeys: String, CodingKey {
                case name, domain
                case sameSite = "same_site"
                case isSecure = "secure"
                case isHTTPOnly = "http_only"
                case retention
            }

            enum SameSite: String, Codable, Sendable {
                case strict, lax, none

                /// As a cookie spells it.
                var attribute: String {
                    switch self {
                    case .strict: "Strict"
                    case .lax: "Lax"
                    case .none: "None"
                    }
                }
            }

            enum Retention: String, Codable, Sendable { case persistent, session, prompt }
        }
    }

    struct MFA: Codable, Sendable, Equatable {
        var isEnabled: Bool?
        var isOptional: Bool?
        var acquiresOnRegistration: Bool?
        var acquiresOnLogin: Bool?
        var totp: TOTP?
        var securityKeys: SecurityKeys?
        var deviceTrustPolicy: Configuration.DeviceTrust?
        var deviceTrustDuration: String?
        var deviceTrustCookieName: String?
        var deviceTrustMaxUsers: Int?

        enum CodingKeys: String, CodingKey {
            case isEnabled = "enabled"
            case isOptional = "optional"
            case acquiresOnRegistration = "acquire_on_registration"
            case acquiresOnLogin = "acquire_on_login"
            case totp
            case securityKeys = "security_keys"
            case deviceTrustPolicy = "device_trust_policy"
            case deviceTrustDuration = "device_trust_duration"
            case deviceTrustCookieName = "device_trust_cookie_name"
            case deviceTrustMaxUsers = "device_trust_max_users_per_device"
        }

        struct TOTP: Codable, Sendable, Equatable {
            var enabled: Bool?
        }

        struct SecurityKeys: Codable, Sendable, Equatable {
            var isEnabled: Bool?
            var limit: Int?
            var authenticatorAttachment: AuthenticatorAttachment?
            var userVerification: UserVerification?
            var attestationPreference: JSONValue?

            enum CodingKeys: String, CodingKey {
                case isEnabled = "enabled"
                case limit
                case attestationPreference = "attestation_preference"
                case authenticatorAttachment = "authenticator_attachment"
                case userVerification = "user_verification"
            }
        }
    }
}

/// Lengths of time as Hanko's configuration writes them: `12h`, `1h30m`, `1.5s`, `300ms`.
///
/// Source: Go, package time, `ParseDuration`.
enum GoDuration {
    /// Seconds; nil when the text is no duration.
    static func seconds(_ text: String) -> Double? {
        if text == "0" { return 0 }
        var rest = text[...]
        let sign: Double = rest.first == "-" ? -1 : 1
        if rest.first == "-" || rest.first == "+" { rest.removeFirst() }
        guard !rest.isEmpty else { return nil }
        var total = 0.0
        while !rest.isEmpty {
            let number = rest.prefix { $0.isASCII && ($0.isNumber || $0 == ".") }
            rest = rest.dropFirst(number.count)
            let unit = rest.prefix { $0 != "." && !$0.isNumber }
            rest = rest.dropFirst(unit.count)
            guard let count = Double(number), let seconds = units[String(unit)] else { return nil }
            total += count * seconds
        }
        return sign * total
    }

    private static let units: [String: Double] = [
        "ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1, "m": 60, "h": 3600,
    ]
}
