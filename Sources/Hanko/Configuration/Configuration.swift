import Essentials
import PlatformKit
import WebAuthn

/// Hanko's own configuration file, the member `config` of the fixtures, and beside it what is ours to set.
///
/// Source of members and defaults: the configuration of Hanko 2.7 and of 3.x, and the JSON schemas of both.
struct Configuration: ConfigurationSection {
    var service = Service()
    var webauthn = WebAuthnConfiguration()
    var email = EmailConfiguration()
    var password = PasswordConfiguration()
    var passkey = PasskeyConfiguration()
    var username = UsernameConfiguration()
    var session = SessionConfiguration()
    var mfa = MFAConfiguration()
    var privacy = Privacy()
    var account = Account()
    var rateLimiter = RateLimiterConfiguration()
    var server = ServerConfiguration()
    /// The place of 3.x; wins over `server.public.cors`.
    var cors: ServerConfiguration.CORS?
    var webhooks = WebhooksConfiguration()
    var auditLog = AuditLogConfiguration()
    var thirdParty = ThirdPartyRules()
    var emailDelivery = EmailDeliveryConfiguration()
    /// What ``emailDelivery`` leaves out, in 3.x.
    var defaultEmailDelivery = EmailDeliveryConfiguration()
    var securityNotifications = SecurityNotificationsConfiguration()
    /// Whether flow errors tell their cause.
    var isDebug = false
    var own = OwnRules()

    static let members: [ConfigurationMember<Self>] = [
        .section("service", \.service), .section("webauthn", \.webauthn), .section("email", \.email),
        .section("password", \.password), .section("passkey", \.passkey), .section("username", \.username),
        .section("session", \.session), .section("mfa", \.mfa), .section("privacy", \.privacy),
        .section("account", \.account), .section("rate_limiter", \.rateLimiter),
        .section("server", \.server), .optionalSection("cors", \.cors), .section("webhooks", \.webhooks),
        .section("audit_log", \.auditLog), .section("third_party", \.thirdParty),
        .section("email_delivery", \.emailDelivery),
        .section("default_email_delivery", \.defaultEmailDelivery),
        .section("security_notifications", \.securityNotifications), .value("debug", \.isDebug),
        .ignored("convert_legacy_config", "members of versions before 1.0 are not converted; see “email”"),
        .ignored(
            "convert_legacy_server_side_session_config", "sessions are always kept by the server"),
        .ignored("database", "worlds have databases of their own; see --data"),
        .ignored("emails", "not read since 1.0; say \"email\": {\"limit\": …, \"require_verification\": …}"),
        .ignored("flow_locker", "a world takes one step at a time"),
        .ignored("log", "every request is in the journal"),
        .ignored(
            "multi_tenancy", "the prefix of a tenant is not emulated; worlds stand in for tenants"),
        .ignored("passcode", "not read since 1.0; say \"email\": {\"passcode_ttl\": …}"),
        .ignored("saml", "SAML is not emulated and answered with 501"),
        .ignored("secret_keys", noSecrets), .ignored("secrets", noSecrets),
        .ignored("smtp", EmailDeliveryConfiguration.noSMTP),
    ]

    private static let noSecrets = "tokens are signed with the keys of the fixtures, section “keys”"

    struct Service: ConfigurationSection {
        var name = "Hanko Authentication Service"

        static let members: [ConfigurationMember<Self>] = [.value("name", \.name)]
    }

    struct Privacy: ConfigurationSection {
        var showsAccountExistence = false
        var showsOnlyActualMethods = false

        static let members: [ConfigurationMember<Self>] = [
            .value("show_account_existence_hints", \.showsAccountExistence),
            .value("only_show_actual_login_methods", \.showsOnlyActualMethods),
        ]
    }

    struct Account: ConfigurationSection {
        var allowsSignup = true
        var allowsDeletion = false

        static let members: [ConfigurationMember<Self>] = [
            .value("allow_signup", \.allowsSignup), .value("allow_deletion", \.allowsDeletion),
        ]
    }

    func check() throws {
        guard !allowedOrigins.contains("*") || (cors ?? server.public.cors).allowsUnsafeWildcard else {
            throw FixtureProblem(
                at: (cors == nil ? ["server", "public", "cors"] : ["cors"]) + ["allow_origins"],
                "“*” lets every web page call with the user's cookies; "
                    + "say so with \"unsafe_wildcard_origin_allowed\": true, or list the origins")
        }
        guard MailAddress.isValid(sender.address) || sender.address.hasSuffix("@localhost") else {
            throw FixtureProblem(
                at: [
                    emailDelivery.fromAddress == nil ? "default_email_delivery" : "email_delivery",
                    "from_address",
                ],
                "expected an email address, found “\(sender.address)”")
        }
    }
}

// What several sections say together.
extension Configuration {
    /// Upstream registers these endpoints under these conditions only.
    var hasPasscodes: Bool {
        own.generation.hasClassicRoutes && !mfa.isEnabled && email.canReceivePasscodes
    }
    var hasPasswords: Bool { own.generation.hasClassicRoutes && !mfa.isEnabled && password.isEnabled }
    var hasPasskeys: Bool { own.generation.hasClassicRoutes && passkey.isEnabled }

    /// Of session tokens and of what webhooks are sent.
    var audience: [String] {
        session.audience.isEmpty ? [webauthn.relyingParty.id] : session.audience
    }

    /// Whether mails leave Hanko; otherwise the webhook `email.send` is all that tells of them.
    var deliversMail: Bool { emailDelivery.isEnabled ?? defaultEmailDelivery.isEnabled ?? true }

    /// From whom mails come; `Hanko <noreply@hanko.io>` where nothing is said.
    var sender: Message.Address {
        Message.Address(
            emailDelivery.fromAddress ?? defaultEmailDelivery.fromAddress ?? "noreply@hanko.io",
            name: emailDelivery.fromName ?? defaultEmailDelivery.fromName ?? "Hanko")
    }

    /// Passkeys are made for, and accepted from, this one: the origins of the configuration and, beyond the original, those of the apps and
    /// sites that the domain's association files name, unless the fixtures are strict. Origins are compared without regard to case, as the
    /// original does; those of Android apps as they are.
    var relyingParty: RelyingParty {
        RelyingParty(
            id: webauthn.relyingParty.id, origins: webauthn.relyingParty.origins.map(\.origin),
            relatedOrigins: own.association.relatedOrigins ?? [],
            appOrigins: own.association.appOrigins.map(\.origin),
            expectsAssociated: !own.isStrictAboutWebAuthn, allowsLocalhost: own.allowsAnyLocalhost,
            ignoresCase: true)
    }

    private var allowedOrigins: [String] { (cors ?? server.public.cors).allowedOrigins }

    var crossOriginPolicy: CrossOriginPolicy {
        CrossOriginPolicy(
            allowedOrigins: allowedOrigins, allowsPatterns: true,
            exposedHeaders: Self.exposedHeaders + (session.usesTokenHeader ? ["X-Auth-Token"] : []),
            // Sign in with Apple comes back by a form.
            formPaths: ["/thirdparty/callback"])
    }

    /// What pages may read of an answer; `X-Auth-Token` comes on top where it is used.
    private static let exposedHeaders = [
        "Retry-After", "X-RateLimit-Limit", "X-RateLimit-Remaining", "X-RateLimit-Reset",
        "X-Session-Lifetime", "X-Session-Retention",
    ]
}

/// What the fixtures say beside Hanko's own configuration file, to have the emulator stricter, kinder or older.
struct OwnRules: ConfigurationSection {
    /// `classic` when left out.
    var generation: Generation = .classic
    /// Whether every port of `http://localhost` is an origin of WebAuthn.
    var allowsAnyLocalhost = false
    /// Whether 500 is answered, as the original does, when nothing but the server's memory says which address a new user is about to
    /// confirm.
    var isStrictAboutPendingAddress = false
    /// Whether what the standard of WebAuthn refuses and the original lets pass is refused.
    var isStrictAboutWebAuthn = false
    /// Whether users are told as versions before 0.4 told them, with `email`, `verified` and times: the vendor's Android sample demands
    /// these members.
    var tellsFullUsers = false
    /// What the admin API demands as `Authorization: Bearer`, as the hosted product does. Without it nothing is demanded, as where
    /// Hanko is self-hosted.
    var adminKey: String?
    /// What the files in `/.well-known` say of native apps and other sites.
    var association = Association()

    static let members: [ConfigurationMember<Self>] = [
        .value("profile", \.generation), .value("any_localhost_origin", \.allowsAnyLocalhost),
        .value("strict_pending_address", \.isStrictAboutPendingAddress),
        .value("strict_webauthn", \.isStrictAboutWebAuthn), .value("full_user_answers", \.tellsFullUsers),
        .optional("admin_api_key", \.adminKey), .section("association", \.association),
    ]

    /// Which line of Hanko answers.
    enum Generation: String, Codable, Sendable {
        /// 2.7, with the REST endpoints that native apps call.
        case classic
        /// 3.x, which removed them: the Flow API and what it needs.
        case current
        /// What follows 3.x: the main branch of August 2026.
        case next

        /// Whether the REST endpoints for native apps are there.
        var hasClassicRoutes: Bool { self == .classic }
    }

    func check() throws {
        guard let adminKey else { return }
        // RFC 6750 §2.1: what a bearer token may consist of.
        guard 1...1000 ~= adminKey.utf8.count, adminKey.utf8.allSatisfy({ 0x21...0x7E ~= $0 }) else {
            throw FixtureProblem(
                at: ["admin_api_key"], "expected 1 to 1000 visible ASCII characters without blanks")
        }
    }
}

/// How the server of a world behaves: the configuration, and how its author wrote it, which is what an export has.
struct HankoSettings: Codable, Sendable {
    static let kept = Setting<HankoSettings>("hanko.settings")

    private(set) var configuration = Configuration()
    /// Members of the configuration that the original would not read either.
    private var unknown: [UnknownMember] = []
    private var written: [String: JSONValue] = [:]

    init() {}

    init(from decoder: any Decoder) throws {
        let members = try decoder.container(keyedBy: ConfigurationKey.self)
        let config = try members.decodeIfPresent(
            ForeignFixture<Configuration>.self, forKey: ConfigurationKey("config"))
        configuration = config?.value ?? Configuration()
        unknown = config?.unknown ?? []
        configuration.own = try OwnRules(from: decoder)
        for name in ["config"] + OwnRules.members.map(\.name) {
            written[name] = try members.decodeIfPresent(JSONValue.self, forKey: ConfigurationKey(name))
        }
    }

    func encode(to encoder: any Encoder) throws { try written.encode(to: encoder) }

    /// What the file says and nothing heeds, with its place below `hanko`; also origins that no browser will ever send, and those that the
    /// original would not take.
    var remarks: [FixtureProblem] {
        let unheeded = Configuration.ignored.filter { path, _ in
            let value = path.reduce(written["config"]) { $0?[$1] }
            return value != nil && value != .null
        }
        let party = configuration.webauthn.relyingParty
        let useless = party.origins.enumerated().flatMap { index, origin in
            RelyingParty(id: party.id, origins: [origin.text]).problems.map { (index, $0) }
        }
        return unheeded.map { FixtureProblem(at: ["config"] + $0.path, "ignored: \($0.reason)") }
            + unknown.map { member in
                FixtureProblem(
                    at: ["config"] + member.path,
                    "ignored: no version of Hanko that is emulated reads this member\(member.question)")
            } + unlisted + early
            + useless.map { index, problem in
                FixtureProblem(
                    at: ["config", "webauthn", "relying_party", "origins", String(index)],
                    "useless: \(problem)")
            }
    }

    /// What a later line of Hanko reads than the one that answers.
    private var early: [FixtureProblem] {
        guard configuration.own.generation != .next else { return [] }
        let address = written["config"]?["server"]?["ip"]
        let hooks = configuration.webhooks.hooks.enumerated().filter { _, hook in
            hook.events.contains { WebhookEvent(rawValue: $0)?.isOfNext == true }
        }
        return
            (address == nil || address == .null
            ? []
            : [
                FixtureProblem(
                    at: ["config", "server", "ip"], "ignored: read under the profile “next” alone")
            ])
            + hooks.map { index, _ in
                FixtureProblem(
                    at: ["config", "webhooks", "hooks", String(index), "events"],
                    "no session event is told: those are events of the profile “next”")
            }
    }

    /// Origins that association files alone name, which the original does not read.
    private var unlisted: [FixtureProblem] {
        let party = configuration.relyingParty
        let related = (configuration.own.association.relatedOrigins ?? []).enumerated()
            .map { (path: ["related_origins", String($0)], origin: $1) }
        return (configuration.own.association.appOrigins + related).compactMap { path, origin in
            guard party.expectation(of: origin) != .listed else { return nil }
            let line = party.line(adding: origin).map { "; write \($0) there" } ?? ""
            return FixtureProblem(
                at: ["association"] + path,
                (party.expectsAssociated ? "expected here alone" : "not expected")
                    + ": Hanko takes the origin “\(origin)” from config.webauthn.relying_party.origins only\(line)"
            )
        }
    }
}
