import Essentials
import HTTP
import PlatformKit
import SQLite

extension Hanko {
    /// `GET /metrics`: figures of this world for Prometheus.
    ///
    /// - Request: nothing.
    /// - Response: `200`, the text format 0.0.4: a gauge for users, addresses, credentials, open sessions and so on.
    /// - Errors: none.
    /// - Source: Hanko 2.7, admin API, for the format; the figures are ours.
    func adminMetrics(_ request: Request) throws -> Response {
        let now = services.clock.now()
        let figures = try database.read { db in
            try Self.figures(at: now).map { ($0, try db.value(Int.self, $1) ?? 0) }
        }
        let text = figures.map { figure, value in
            """
            # HELP \(figure.name) \(figure.help)
            # TYPE \(figure.name) gauge
            \(figure.name) \(value)

            """
        }
        return Response(
            headers: ["Content-Type": "text/plain; version=0.0.4; charset=utf-8"],
            body: Array(text.joined().utf8))
    }

    private struct Figure: Sendable {
        let name: String
        let help: String

        init(_ name: String, _ help: String) { (self.name, self.help) = (name, help) }
    }

    private static func figures(at now: Date) -> [(Figure, SQL)] {
        [
            (Figure("hanko_users", "Users."), "SELECT count(*) FROM hanko_user"),
            (
                Figure("hanko_emails", "Addresses of users."),
                "SELECT count(*) FROM hanko_email WHERE user_id IS NOT NULL"
            ),
            (
                Figure("hanko_emails_unassigned", "Addresses that are not confirmed yet."),
                "SELECT count(*) FROM hanko_email WHERE user_id IS NULL"
            ),
            (
                Figure("hanko_passkeys", "Passkeys."),
                "SELECT count(*) FROM hanko_credential WHERE NOT mfa_only"
            ),
            (
                Figure("hanko_security_keys", "Security keys."),
                "SELECT count(*) FROM hanko_credential WHERE mfa_only"
            ),
            (Figure("hanko_passwords", "Users with a password."), "SELECT count(*) FROM hanko_password"),
            (
                Figure("hanko_otp_secrets", "Users with an authenticator app."),
                "SELECT count(*) FROM hanko_otp_secret"
            ),
            (
                Figure("hanko_sessions", "Sessions that are open."),
                "SELECT count(*) FROM hanko_session WHERE expires_at > \(now)"
            ),
            (
                Figure("hanko_passcodes", "Passcodes that were mailed and not used."),
                "SELECT count(*) FROM hanko_passcode WHERE created_at + ttl * 1000 > \(now)"
            ),
            (
                Figure("hanko_webhooks_enabled", "Webhooks of the admin API that are switched on."),
                "SELECT count(*) FROM hanko_webhook WHERE enabled"
            ),
            (
                Figure("hanko_audit_log_entries", "Entries of the audit log."),
                "SELECT count(*) FROM hanko_audit_log"
            ),
        ]
    }
}
