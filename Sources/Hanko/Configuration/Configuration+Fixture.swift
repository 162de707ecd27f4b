import PlatformKit

extension Configuration {
    /// - Throws: `FixtureProblem` with a path below the fixture section, for a value that makes no sense.
    init(_ settings: HankoSettings) throws {
        let config = settings.config ?? ConfigurationFixture()
        let relyingParty = try RelyingPartyRules(config.webauthn, config.service, settings)
        let session = try Session(config.session, relyingPartyID: relyingParty.id)
        self.init(
            generation: settings.profile ?? .classic,
            serviceName: config.service?.name ?? "Hanko Authentication Service",
            relyingParty: relyingParty,
            email: try Email(config.email),
            password: try Password(config.password),
            passkey: try Passkey(config.passkey),
            username: try Username(config.username),
            session: session,
            mfa: try MFA(config.mfa),
            privacy: Privacy(
                showsAccountExistence: config.privacy?.showsAccountExistence ?? false,
                showsOnlyActualMethods: config.privacy?.showsOnlyActualMethods ?? false),
            allowsSignup: config.account?.allowsSignup ?? true,
            allowsDeletion: config.account?.allowsDeletion ?? false,
            limits: try Limits(config.rateLimiter),
            crossOriginPolicy: CrossOriginPolicy(
                allowedOrigins: try Self.origins(config),
                allowsPatterns: true,
                exposedHeaders: Self.exposedHeaders + (session.usesTokenHeader ? ["X-Auth-Token"] : []),
                // Sign in with Apple comes back by a form.
                formPaths: ["/thirdparty/callback"]),
            webhooks: Webhooks(
                isEnabled: config.webhooks?.isEnabled ?? false,
                expire: config.webhooks?.allowsTimeExpiration ?? false,
                hooks: try config.webhooks.map(Self.hooks) ?? []),
            auditLog: AuditLog(
                isStored: config.auditLog?.storage?.enabled ?? false,
                isTold: config.auditLog?.consoleOutput?.enabled ?? true),
            thirdParty: try ThirdPartyRules(config.thirdParty),
            deliversMail: config.emailDelivery?.enabled ?? config.defaultEmailDelivery?.enabled ?? true,
            sender: try Self.sender(config),
            notifications: try Self.notifications(config.securityNotifications),
            isDebug: config.isDebug ?? false,
            isStrictAboutPendingAddress: settings.strictPendingAddress ?? false,
            tellsFullUsers: settings.fullUserAnswers ?? false,
            adminKey: try Self.adminKey(settings))
    }

    private static func adminKey(_ settings: HankoSettings) throws -> String? {
        guard let key = settings.adminKey else { return nil }
        // RFC 6750 §2.1: what a bearer token may consist of.
        guard 1...1000 ~= key.utf8.count, key.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw FixtureProblem(
                at: ["admin_api_key"], "expected 1 to 1000 visible ASCII characters without blanks")
        }
        return key
    }

    /// What pages may read of an answer; `X-Auth-Token` comes on top where it is used.
    private static let exposedHeaders = [
        "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
        "X-Session-Lifetime",
        "X-Session-Retention",
    ]

    private static func hooks(
        _ config: ConfigurationFixture.Webhooks
    ) throws -> [ConfigurationFixture.Webhooks.Hook] {
        let hooks = config.hooks ?? []
        for (index, hook) in hooks.enumerated() {
            let path = ["config", "webhooks", "hooks", String(index)]
            guard WebhookRules.isURL(hook.callback) else {
                throw FixtureProblem(at: path + ["callback"], "expected an http or https URL")
            }
            if let unknown = hook.events.first(where: { WebhookEvent(rawValue: $0) == nil }) {
                throw FixtureProblem(at: path + ["events"], "\"\(unknown)\" is no webhook event")
            }
        }
        return hooks
    }

    private static func notifications(
        _ config: ConfigurationFixture.SecurityNotifications?
    ) throws -> Set<String> {
        let switches = config?.notifications ?? [:]
        if let unknown = switches.keys.sorted().first(where: { SecurityNotification(rawValue: $0) == nil }) {
            throw FixtureProblem(
                at: ["config", "security_notifications", "notifications", unknown],
                "expected one of " + SecurityNotification.allCases.map(\.rawValue).joined(separator: ", "))
        }
        return Set(switches.filter { $0.value.enabled ?? false }.keys)
    }
}

extension Configuration.Email {
    init(_ config: ConfigurationFixture.Email?) throws {
        let path = ["config", "email"]
        self.init(
            isEnabled: config?.isEnabled ?? true,
            isUsedForAuthentication: config?.isUsedForAuthentication ?? true,
            isLoginIdentifier: config?.isLoginIdentifier ?? true,
            requiresVerification: config?.requiresVerification ?? true,
            isOptional: config?.isOptional ?? false,
            acquiresOnRegistration: config?.acquiresOnRegistration ?? true,
            acquiresOnLogin: config?.acquiresOnLogin ?? true,
            limit: try atLeastOne(config?.limit, or: 5, at: path + ["limit"]),
            maxLength: try atLeastOne(config?.maxLength, or: 120, at: path + ["max_length"]),
            passcodeTTL: try atLeastOne(config?.passcodeTTL, or: 300, at: path + ["passcode_ttl"]),
            passcodesAreAlphanumeric: config?.passcodeCharset == .alphanumeric)
    }
}

extension Configuration.Password {
    init(_ config: ConfigurationFixture.Password?) throws {
        self.init(
            isEnabled: config?.isEnabled ?? true, isOptional: config?.isOptional ?? false,
            acquiresOnRegistration: config?.acquiresOnRegistration ?? .always,
            acquiresOnLogin: config?.acquiresOnLogin ?? .never,
            minLength: try atLeastOne(
                config?.minLength, or: 8, at: ["config", "password", "min_length"], atMost: 72),
            allowsRecovery: config?.allowsRecovery ?? true)
    }
}

extension Configuration.Passkey {
    init(_ config: ConfigurationFixture.Passkey?) throws {
        self.init(
            isEnabled: config?.isEnabled ?? true, isOptional: config?.isOptional ?? true,
            acquiresOnRegistration: config?.acquiresOnRegistration ?? .always,
            acquiresOnLogin: config?.acquiresOnLogin ?? .always,
            userVerification: (config?.userVerification ?? .preferred).rawValue,
            attestationPreference: (config?.attestationPreference ?? .direct).rawValue,
            limit: try atLeastOne(config?.limit, or: 10, at: ["config", "passkey", "limit"]))
    }
}

extension Configuration.Username {
    init(_ config: ConfigurationFixture.Username?) throws {
        let path = ["config", "username"]
        self.init(
            isEnabled: config?.isEnabled ?? false, isOptional: config?.isOptional ?? true,
            isLoginIdentifier: config?.isLoginIdentifier ?? true,
            acquiresOnRegistration: config?.acquiresOnRegistration ?? true,
            acquiresOnLogin: config?.acquiresOnLogin ?? true,
            minLength: try atLeastOne(config?.minLength, or: 3, at: path + ["min_length"]),
            maxLength: try atLeastOne(config?.maxLength, or: 32, at: path + ["max_length"]))
    }
}

extension Configuration.MFA {
    /// Without MFA neither kind of second factor is offered, whatever else is said.
    init(_ config: ConfigurationFixture.MFA?) throws {
        let path = ["config", "mfa"]
        let isEnabled = config?.isEnabled ?? true
        let keys = config?.securityKeys
        let attachment = keys?.authenticatorAttachment ?? .crossPlatform
        self.init(
            isEnabled: isEnabled, isOptional: config?.isOptional ?? true,
            acquiresOnRegistration: config?.acquiresOnRegistration ?? true,
            acquiresOnLogin: config?.acquiresOnLogin ?? false,
            offersTOTP: isEnabled && config?.totp?.enabled ?? true,
            offersSecurityKeys: isEnabled && keys?.isEnabled ?? true,
            securityKeyLimit: try atLeastOne(keys?.limit, or: 10, at: path + ["security_keys", "limit"]),
            securityKeyAttachment: attachment == .noPreference ? nil : attachment.rawValue,
            securityKeyUserVerification: (keys?.userVerification ?? .discouraged).rawValue,
            deviceTrust: config?.deviceTrustPolicy ?? .prompt,
            deviceTrustSeconds: try boundedDuration(
                config?.deviceTrustDuration, or: "720h", at: path + ["device_trust_duration"]),
            deviceTrustCookie: DeviceTrustCookie(
                name: try SessionCookie.checked(
                    config?.deviceTrustCookieName, at: path + ["device_trust_cookie_name"])
                    ?? DeviceTrustCookie.standardName,
                limit: try deviceTrustLimit(config?.deviceTrustMaxUsers)))
    }
}

/// Users that one device may be trusted by; the original takes 20 for nothing and for what is no number of users.
private func deviceTrustLimit(_ number: Int?) throws -> Int {
    guard let number, number > 0 else { return DeviceTrustCookie.standardLimit }
    return try atLeastOne(
        number, or: 1, at: ["config", "mfa", "device_trust_max_users_per_device"], atMost: 100)
}

extension Configuration.Session {
    init(_ config: ConfigurationFixture.Session?, relyingPartyID: String) throws {
        let lifespan = try boundedDuration(
            config?.lifespan, or: "12h", at: ["config", "session", "lifespan"])
        let idle = try duration(config?.idleTimeout ?? "0", at: ["config", "session", "idle_timeout"])
        guard 0...longestSeconds ~= idle else {
            throw FixtureProblem(
                at: ["config", "session", "idle_timeout"],
                "expected a duration from none to ten years, such as \"30m\"")
        }
        self.init(
            lifespanSeconds: Int(lifespan),
            idleTimeoutSeconds: idle == 0 ? nil : idle,
            limit: try atLeastOne(config?.limit, or: 5, at: ["config", "session", "limit"]),
            audience: config?.audience.flatMap { $0.isEmpty ? nil : $0 } ?? [relyingPartyID],
            issuer: config?.issuer.flatMap { $0.isEmpty ? nil : $0 },
            usesTokenHeader: config?.usesTokenHeader ?? false,
            keepsAddress: config?.keepsAddress ?? true,
            keepsUserAgent: config?.keepsUserAgent ?? true,
            allowsRevocation: config?.allowsRevocation ?? true,
            isShownOnProfile: config?.showsOnProfile ?? true,
            cookie: try SessionCookie(config?.cookie),
            template: try ClaimTemplate(
                config?.template?.claims ?? [:], at: ["config", "session", "jwt_template", "claims"]))
    }
}

extension Configuration.Limits {
    /// Nil when the limiter is off. Source of the defaults: three passcodes, one-time codes and tokens a minute, five passwords.
    init?(_ config: ConfigurationFixture.RateLimiter?) throws {
        let path = ["config", "rate_limiter"]
        let intervals = try [
            ("passcode_limits", config?.passcode), ("otp_limits", config?.otp),
            ("password_limits", config?.password), ("token_limits", config?.token),
        ].map { try RateLimit.Rule.interval($1, at: path + [$0]) }
        let kept = 2 * (intervals.max() ?? 0)
        func rule(_ limit: ConfigurationFixture.RateLimiter.Limit?, tokens: Int, _ name: String) throws
            -> RateLimit.Rule
        {
            try RateLimit.Rule(limit, tokens: tokens, keptSeconds: kept, at: path + [name])
        }
        let limits = Self(
            passcode: try rule(config?.passcode, tokens: 3, "passcode_limits"),
            otp: try rule(config?.otp, tokens: 3, "otp_limits"),
            password: try rule(config?.password, tokens: 5, "password_limits"),
            token: try rule(config?.token, tokens: 3, "token_limits"))
        guard config?.isEnabled ?? true else { return nil }
        self = limits
    }
}

extension RateLimit.Rule {
    fileprivate init(
        _ config: ConfigurationFixture.RateLimiter.Limit?, tokens: Int, keptSeconds: Double, at path: [String]
    ) throws {
        self.init(
            tokens: try atLeastOne(config?.tokens, or: tokens, at: path + ["tokens"]),
            intervalSeconds: try Self.interval(config, at: path), keptSeconds: keptSeconds)
    }

    fileprivate static func interval(
        _ config: ConfigurationFixture.RateLimiter.Limit?, at path: [String]
    ) throws -> Double {
        try boundedDuration(config?.interval, or: "1m", at: path + ["interval"])
    }
}

func atLeastOne(
    _ number: Int?, or standard: Int, at path: [String], atMost highest: Int = 1_000_000
) throws -> Int {
    let number = number ?? standard
    guard 1...highest ~= number else {
        throw FixtureProblem(at: path, "expected a number from 1 to \(highest), found \(number)")
    }
    return number
}

/// Seconds, at least one.
private func boundedDuration(_ text: String?, or standard: String, at path: [String]) throws -> Double {
    let seconds = try duration(text ?? standard, at: path)
    guard 1...longestSeconds ~= seconds else {
        throw FixtureProblem(
            at: path, "expected a duration from one second to ten years, such as \"\(standard)\"")
    }
    return seconds
}

/// Ten years. Longer ones only come from slips, and the sums of time and duration must stay in range.
private let longestSeconds = 315_360_000.0

/// Seconds.
private func duration(_ text: String, at path: [String]) throws -> Double {
    guard let seconds = GoDuration.seconds(text), seconds.isFinite else {
        throw FixtureProblem(at: path, "expected a duration such as \"12h\" or \"1h30m\", found \"\(text)\"")
    }
    return seconds
}
