import HTTP
import PlatformKit

extension Hanko {
    /// Endpoints of the original that are refused with 501 and the name of what is missing.
    static let missingRoutes: [Route<Hanko>] =
        [
            Route(.put, "/password", passwords),
            Route(.post, "/password/login", passwords),
            Route(.get, "/webauthn/credentials", passkeys),
            Route(.patch, "/webauthn/credentials/:id", passkeys),
            Route(.delete, "/webauthn/credentials/:id", passkeys),
        ]
        + ["registration/initialize", "registration/finalize", "login/initialize", "login/finalize"].map {
            Route(.post, "/webauthn/\($0)", passkeys)
        }
        + ["/login", "/registration", "/profile", "/token_exchange"].map {
            Route(.post, $0, missing("the Flow API"))
        }

    /// The admin side, which lives beside the public one. Source: Hanko 2.7, admin API.
    static let adminRoutes: [Route<Hanko>] = adminPaths.flatMap { path, methods in
        methods.map { Route($0, path, missing("the admin API")) }
    }

    private static let adminPaths: [(String, [Request.Method])] = [
        ("", [.get]), ("/", [.get]), ("/health/alive", [.get]), ("/health/ready", [.get]),
        ("/metrics", [.get]),
        ("/users", [.get, .post]), ("/users/:id", [.get, .patch, .delete]),
        ("/users/:id/metadata", [.get, .patch]),
        ("/users/:id/emails", [.get, .post]), ("/users/:id/emails/:email", [.get, .delete]),
        ("/users/:id/emails/:email/set_primary", [.post]),
        ("/users/:id/webauthn_credentials", [.get]),
        ("/users/:id/webauthn_credentials/:credential", [.get, .delete]),
        ("/users/:id/password", [.get, .post, .put, .delete]), ("/users/:id/otp", [.get, .delete]),
        ("/users/:id/sessions", [.get]), ("/users/:id/sessions/:session", [.delete]), ("/sessions", [.post]),
        ("/audit_logs", [.get]), ("/webhooks", [.get, .post]), ("/webhooks/:id", [.get, .put, .delete]),
    ]

    private static func missing(_ feature: String) -> Route<Hanko>.Handler {
        { _ in { _ in throw HankoError.notEmulated(feature) } }
    }

    private static let passwords: Route<Hanko>.Handler = { hanko in
        { _ in
            guard try hanko.configuration().hasPasswords else {
                throw HankoError.switchedOff(
                    "passwords", by: "mfa.enabled must be false and password.enabled true")
            }
            throw HankoError.notEmulated("passwords")
        }
    }

    private static let passkeys: Route<Hanko>.Handler = { hanko in
        { _ in
            guard try hanko.configuration().hasPasskeys else {
                throw HankoError.switchedOff("WebAuthn", by: "passkey.enabled must be true")
            }
            throw HankoError.notEmulated("WebAuthn")
        }
    }
}
