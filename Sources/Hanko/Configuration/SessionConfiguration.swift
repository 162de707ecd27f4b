import PlatformKit

struct SessionConfiguration: ConfigurationSection {
    var lifespan: GoDuration = .hours(12)
    var cookie = SessionCookie()
    var usesTokenHeader = false
    var limit = 5
    /// None for sessions that do not end by lying idle.
    var idleTimeout: GoDuration = .zero
    /// See ``Configuration/audience``.
    var audience: [String] = []
    var issuer: String?
    var keepsAddress = true
    var keepsUserAgent = true
    var allowsRevocation = true
    var isShownOnProfile = true
    var template = Template()

    static let members: [ConfigurationMember<Self>] = [
        .duration("lifespan", \.lifespan), .section("cookie", \.cookie),
        .value("enable_auth_token_header", \.usesTokenHeader), .number("limit", \.limit),
        .value("idle_timeout", \.idleTimeout), .value("audience", \.audience), .text("issuer", \.issuer),
        .value("acquire_ip_address", \.keepsAddress), .value("acquire_user_agent", \.keepsUserAgent),
        .value("allow_revocation", \.allowsRevocation), .value("show_on_profile", \.isShownOnProfile),
        .section("jwt_template", \.template),
        .ignored(
            "server_side",
            "not read since 2.0: sessions are always kept; say “limit” of “session”"),
    ]

    struct Template: ConfigurationSection {
        var claims = ClaimTemplate()

        static let members: [ConfigurationMember<Self>] = [.value("claims", \.claims)]
    }

    var lifespanSeconds: Int { Int(lifespan.seconds) }
    var idleTimeoutSeconds: Double? { idleTimeout.seconds == 0 ? nil : idleTimeout.seconds }

    func check() throws {
        guard 0...GoDuration.longest ~= idleTimeout.seconds else {
            throw FixtureProblem(
                at: ["idle_timeout"], "expected a duration from none to ten years, such as “30m”")
        }
    }
}

struct RateLimiterConfiguration: ConfigurationSection {
    var isEnabled = true
    var passcode = Limit()
    var otp = Limit()
    var password = Limit()
    var token = Limit()

    static let members: [ConfigurationMember<Self>] = [
        .value("enabled", \.isEnabled), .section("passcode_limits", \.passcode),
        .section("otp_limits", \.otp), .section("password_limits", \.password),
        .section("token_limits", \.token),
        .ignored("redis_config", "limits are counted in the world"),
        .ignored("store", "limits are counted in the world"),
    ]

    struct Limit: ConfigurationSection {
        /// Calls in one interval.
        var tokens: Int?
        var interval: GoDuration = .minutes(1)

        static let members: [ConfigurationMember<Self>] = [
            .optionalNumber("tokens", \.tokens, 1...1_000_000), .duration("interval", \.interval),
        ]
    }

    // Nil when the limiter is off.
    var passcodeRule: RateLimit.Rule? { rule(passcode, tokens: 3) }
    var otpRule: RateLimit.Rule? { rule(otp, tokens: 3) }
    var passwordRule: RateLimit.Rule? { rule(password, tokens: 5) }
    var tokenRule: RateLimit.Rule? { rule(token, tokens: 3) }

    private func rule(_ limit: Limit, tokens: Int) -> RateLimit.Rule? {
        guard isEnabled else { return nil }
        let longest = max(
            passcode.interval.seconds, otp.interval.seconds, password.interval.seconds,
            token.interval.seconds)
        return RateLimit.Rule(
            tokens: limit.tokens ?? tokens, intervalSeconds: limit.interval.seconds,
            keptSeconds: 2 * longest)
    }
}
