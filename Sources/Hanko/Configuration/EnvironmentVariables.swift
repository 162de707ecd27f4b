package import Essentials

/// The environment variables of the original, with `HANKO_` in front: `HANKO_WEBAUTHN_RELYING_PARTY_ID=example.com`. The original has
/// them without it, which would let `DEBUG` and `SERVICE_NAME` of anybody change a server that runs for tests.
///
/// Source: Hanko, `backend/config`, and the library that it reads them with: lists are separated by commas, flags are those of Go.
/// Underscores do not count: the original writes some names with them (`EMAIL_DELIVERY_ENABLED`), others without (`EMAIL_PASSCODETTL`).
enum EnvironmentVariables {
    static let prefix = "HANKO_"

    enum Kind: Sendable {
        case flag, number, text, list
    }

    /// The members of `hanko.config` that can be set, by their names without dots and underscores.
    static let members: [String: (path: [String], kind: Kind)] = {
        var members: [String: (path: [String], kind: Kind)] = [:]
        for (kind, paths) in [(Kind.flag, flags), (.number, numbers), (.text, texts), (.list, lists)] {
            for path in paths.split(whereSeparator: { " \n".contains($0) }) {
                let parts = path.split(separator: ".").map { String($0) }
                members[key(parts.joined())] = (parts, kind)
            }
        }
        return members
    }()

    private static func key(_ name: String) -> String { name.filter { $0 != "_" }.uppercased() }

    /// What the variables say, as `hanko.config`; nil for none. What is no member of it is left alone.
    static func configuration(_ environment: [String: String]) -> JSONValue? {
        var config: [String: JSONValue] = [:]
        for (name, text) in environment.sorted(by: { $0.key < $1.key }) where name.hasPrefix(prefix) {
            guard let member = members[key(String(name.dropFirst(prefix.count)))] else { continue }
            config = Self.setting(value(text, member.kind), at: member.path[...], in: config)
        }
        return config.isEmpty ? nil : .object(config)
    }

    /// What does not fit is passed on as it is, to be refused where the fixtures are read.
    private static func value(_ text: String, _ kind: Kind) -> JSONValue {
        switch kind {
        case .flag where ["1", "t", "T", "true", "TRUE", "True"].contains(text): true
        case .flag where ["0", "f", "F", "false", "FALSE", "False"].contains(text): false
        case .number: Int(text).map { .integer($0) } ?? .string(text)
        case .list: JSONValue(text.isEmpty ? [] : text.split(separator: ",").map { String($0) })
        case .flag, .text: .string(text)
        }
    }

    private static func setting(
        _ value: JSONValue, at path: ArraySlice<String>, in members: [String: JSONValue]
    ) -> [String: JSONValue] {
        guard let first = path.first else { return members }
        var members = members
        members[first] =
            path.count == 1
            ? value : .object(setting(value, at: path.dropFirst(), in: members[first]?.object ?? [:]))
        return members
    }

    private static let flags = """
        account.allow_deletion account.allow_signup audit_log.console_output.enabled
        audit_log.storage.enabled cors.unsafe_wildcard_origin_allowed debug
        default_email_delivery.enabled email.acquire_on_login email.acquire_on_registration
        email.enabled email.optional email.require_verification email.use_as_login_identifier
        email.use_for_authentication email_delivery.enabled mfa.acquire_on_login
        mfa.acquire_on_registration mfa.enabled mfa.optional mfa.security_keys.enabled
        mfa.totp.enabled passkey.enabled passkey.optional password.enabled password.optional
        password.recovery privacy.only_show_actual_login_methods
        privacy.show_account_existence_hints rate_limiter.enabled
        security_notifications.notifications.email_create.enabled
        security_notifications.notifications.email_delete.enabled
        security_notifications.notifications.mfa_create.enabled
        security_notifications.notifications.mfa_delete.enabled
        security_notifications.notifications.passkey_create.enabled
        security_notifications.notifications.password_update.enabled
        security_notifications.notifications.primary_email_update.enabled
        server.public.cors.unsafe_wildcard_origin_allowed session.acquire_ip_address
        session.acquire_user_agent session.allow_revocation session.cookie.http_only
        session.cookie.secure session.enable_auth_token_header session.show_on_profile
        third_party.providers.apple.allow_linking third_party.providers.apple.enabled
        third_party.providers.discord.allow_linking third_party.providers.discord.enabled
        third_party.providers.facebook.allow_linking third_party.providers.facebook.enabled
        third_party.providers.github.allow_linking third_party.providers.github.enabled
        third_party.providers.google.allow_linking third_party.providers.google.enabled
        third_party.providers.linkedin.allow_linking third_party.providers.linkedin.enabled
        third_party.providers.microsoft.allow_linking third_party.providers.microsoft.enabled
        username.acquire_on_login username.acquire_on_registration username.enabled
        username.optional username.use_as_login_identifier webhooks.allow_time_expiration
        webhooks.enabled
        """

    private static let numbers = """
        email.limit email.max_length email.passcode_ttl mfa.device_trust_max_users_per_device
        mfa.security_keys.limit passkey.limit password.min_length rate_limiter.otp_limits.tokens
        rate_limiter.passcode_limits.tokens rate_limiter.password_limits.tokens
        rate_limiter.token_limits.tokens session.limit username.max_length username.min_length
        webauthn.timeouts.login webauthn.timeouts.registration
        """

    private static let texts = """
        default_email_delivery.from_address default_email_delivery.from_name
        email.passcode_charset email_delivery.from_address email_delivery.from_name
        mfa.device_trust_cookie_name mfa.device_trust_duration mfa.device_trust_policy
        mfa.security_keys.authenticator_attachment mfa.security_keys.user_verification
        passkey.acquire_on_login passkey.acquire_on_registration passkey.attestation_preference
        passkey.user_verification password.acquire_on_login password.acquire_on_registration
        rate_limiter.otp_limits.interval rate_limiter.passcode_limits.interval
        rate_limiter.password_limits.interval rate_limiter.token_limits.interval
        server.ip.extractor service.name session.cookie.domain session.cookie.name
        session.cookie.retention session.cookie.same_site session.idle_timeout session.issuer
        session.lifespan third_party.default_redirect_url third_party.error_redirect_url
        third_party.providers.apple.client_id third_party.providers.apple.secret
        third_party.providers.discord.client_id third_party.providers.discord.secret
        third_party.providers.facebook.client_id third_party.providers.facebook.secret
        third_party.providers.github.client_id third_party.providers.github.secret
        third_party.providers.google.client_id third_party.providers.google.secret
        third_party.providers.linkedin.client_id third_party.providers.linkedin.secret
        third_party.providers.microsoft.client_id third_party.providers.microsoft.secret
        third_party.redirect_url webauthn.relying_party.display_name webauthn.relying_party.id
        """

    private static let lists = """
        cors.allow_origins server.ip.trusted_proxies server.public.cors.allow_origins
        session.audience third_party.allowed_redirect_urls webauthn.relying_party.origins
        """
}

extension Hanko {
    /// A part of the section `hanko`; nil when no variable is Hanko's.
    package static func fixtures(from environment: [String: String]) -> JSONValue? {
        EnvironmentVariables.configuration(environment).map { ["config": $0] }
    }
}
