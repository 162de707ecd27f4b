import Essentials
import PlatformKit
import WebAuthn

extension ConfigurationFixture {
    /// Members of the vendor's file that change nothing here, and why: paths below `config`.
    static let ignored: [(path: String, reason: String)] = [
        ("audit_log.console_output.output", "the journal is the console"),
        ("audit_log.mask", "addresses are shown as they are"),
        ("audit_log.retention", "the newest 10000 entries are kept"),
        ("convert_legacy_config", "members of versions before 1.0 are not converted; see \"email\""),
        ("convert_legacy_server_side_session_config", "sessions are always kept by the server"),
        ("database", "worlds have databases of their own; see --data"),
        ("default_email_delivery.smtp", noSMTP),
        ("email_delivery.smtp", noSMTP),
        ("emails", "not read since 1.0; say \"email\": {\"limit\": …, \"require_verification\": …}"),
        ("flow_locker", "a world takes one step at a time"),
        ("log", "every request is in the journal"),
        (
            "mfa.security_keys.attestation_preference",
            "the original asks for security keys with passkey.attestation_preference as well"
        ),
        ("multi_tenancy", "the prefix of a tenant is not emulated; worlds stand in for tenants"),
        ("passcode", "not read since 1.0; say \"email\": {\"passcode_ttl\": …}"),
        ("password.min_password_length", "not read since 1.0; say \"min_length\""),
        ("rate_limiter.redis_config", "limits are counted in the world"),
        ("rate_limiter.store", "limits are counted in the world"),
        ("saml", "SAML is not emulated and answered with 501"),
        ("secret_keys", noSecrets),
        ("secrets", noSecrets),
        ("server.admin", "the admin API is at /hanko-admin"),
        ("server.cors", "CORS stands under \"public\" of \"server\""),
        ("server.ip", "addresses of clients are those of connections; see --trusted-proxy"),
        ("server.management", "the management API is not emulated"),
        ("cors.allow_credentials", credentials),
        ("cors.enabled", "CORS is what \"allow_origins\" says"),
        ("server.public.cors.allow_credentials", credentials),
        ("server.public.cors.enabled", "CORS is what \"allow_origins\" says"),
        ("server.public.address", "one port serves everything; see --port"),
        ("session.server_side", "not read since 2.0: sessions are always kept; say \"limit\" of \"session\""),
        ("smtp", noSMTP),
        ("webauthn.relying_party.origin", "not read since 0.9; say \"origins\""),
        ("webauthn.timeout", "not read since 1.0; say \"timeouts\""),
        ("webauthn.user_verification", "not read since 1.0; say \"user_verification\" of \"passkey\""),
    ]

    private static let credentials = "pages of the allowed origins always send and read with credentials"
    private static let noSMTP = "mails go to the outbox; see --smtp-relay"
    private static let noSecrets = "tokens are signed with the keys of the fixtures, section \"keys\""

    /// What this file says and nothing heeds, with its place below `hanko`; also origins that no browser will ever send.
    func remarks() throws -> [FixtureProblem] {
        let whole = try JSONDecoder().decode(JSONValue.self, from: JSONEncoder().encode(self))
        let unheeded = Self.ignored.compactMap { path, reason -> FixtureProblem? in
            let steps = path.split(separator: ".").map(String.init)
            guard steps.reduce(whole as JSONValue?, { $0?[$1] }) != nil else { return nil }
            return FixtureProblem(at: ["config"] + steps, "ignored: \(reason)")
        }
        return unheeded + originRemarks
    }

    private var originRemarks: [FixtureProblem] {
        let party = webauthn?.relyingParty
        return (party?.origins ?? []).enumerated().flatMap { index, origin in
            RelyingParty(id: party?.id ?? "localhost", origins: [origin]).problems.map {
                FixtureProblem(
                    at: ["config", "webauthn", "relying_party", "origins", String(index)], "useless: \($0)")
            }
        }
    }
}
