import PlatformKit

extension Configuration {
    /// - Throws: `FixtureProblem` with a path below the fixture section, for a value that makes no sense.
    init(_ config: ConfigurationFixture, isStrictAboutPendingAddress: Bool) throws {
        let relyingPartyID = config.webauthn?.relyingParty?.id ?? "localhost"
        let mfa = config.mfa
        let mfaIsEnabled = mfa?.isEnabled ?? true
        let session = try Session(config.session, relyingPartyID: relyingPartyID)
        self.init(
            serviceName: config.service?.name ?? "Hanko Authentication Service",
            relyingPartyID: relyingPartyID,
            email: try Email(config.email),
            session: session,
            passwordsAreEnabled: config.password?.isEnabled ?? true,
            passwordMinLength: config.password?.minLength ?? 8,
            passkeysAreEnabled: config.passkey?.isEnabled ?? true,
            mfa: MFA(
                isEnabled: mfaIsEnabled,
                offersTOTP: mfaIsEnabled && mfa?.totp?.enabled ?? true,
                offersSecurityKeys: mfaIsEnabled && mfa?.securityKeys?.isEnabled ?? true),
            allowsSignup: config.account?.allowsSignup ?? true,
            allowsDeletion: config.account?.allowsDeletion ?? false,
            passcodeLimit: try RateLimit.Rule(config.rateLimiter),
            crossOriginPolicy: CrossOriginPolicy(
                allowedOrigins: try Self.origins(config.server?.public?.cors),
                exposedHeaders: Self.exposedHeaders + (session.usesTokenHeader ? ["X-Auth-Token"] : [])),
            isStrictAboutPendingAddress: isStrictAboutPendingAddress)
    }

    /// What pages may read of an answer; `X-Auth-Token` comes on top where it is used.
    private static let exposedHeaders = [
        "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
        "X-Session-Lifetime",
        "X-Session-Retention",
    ]

    private static func origins(_ cors: ConfigurationFixture.Server.CORS?) throws -> [String] {
        let origins = cors?.allowedOrigins ?? ["http://localhost:8888"]
        guard !origins.contains("*") || cors?.allowsUnsafeWildcard == true else {
            throw FixtureProblem(
                at: ["config", "server", "public", "cors", "allow_origins"],
                "\"*\" lets every web page call with the user's cookies; "
                    + "say so with \"unsafe_wildcard_origin_allowed\": true, or list the origins")
        }
        return origins
    }
}

extension Configuration.Email {
    init(_ config: ConfigurationFixture.Email?) throws {
        self.init(
            canReceivePasscodes: (config?.isEnabled ?? true) && (config?.isUsedForAuthentication ?? true),
            requiresVerification: config?.requiresVerification ?? true,
            limit: try atLeastOne(config?.limit, or: 5, at: ["config", "email", "limit"]),
            passcodeTTLSeconds: try atLeastOne(
                config?.passcodeTTL, or: 300, at: ["config", "email", "passcode_ttl"]))
    }
}

extension Configuration.Session {
    init(_ config: ConfigurationFixture.Session?, relyingPartyID: String) throws {
        let lifespan = try duration(config?.lifespan ?? "12h", at: ["config", "session", "lifespan"])
        guard 1...longestSeconds ~= lifespan else {
            throw FixtureProblem(
                at: ["config", "session", "lifespan"],
                "expected a duration from one second to ten years, such as \"12h\"")
        }
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
            cookie: try SessionCookie(config?.cookie))
    }
}

extension RateLimit.Rule {
    /// Nil when the limiter is off. Source of the default: three passcodes a minute.
    init?(_ config: ConfigurationFixture.RateLimiter?) throws {
        let path = ["config", "rate_limiter", "passcode_limits"]
        let tokens = try atLeastOne(config?.passcode?.tokens, or: 3, at: path + ["tokens"])
        let interval = try duration(config?.passcode?.interval ?? "1m", at: path + ["interval"])
        guard 1...longestSeconds ~= interval else {
            throw FixtureProblem(
                at: path + ["interval"], "expected a duration from one second to ten years, such as \"1m\"")
        }
        guard config?.isEnabled ?? true else { return nil }
        self.init(tokens: tokens, intervalSeconds: interval)
    }
}

private func atLeastOne(_ number: Int?, or standard: Int, at path: [String]) throws -> Int {
    let number = number ?? standard
    guard 1...1_000_000 ~= number else {
        throw FixtureProblem(at: path, "expected a number from 1 to 1000000, found \(number)")
    }
    return number
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
