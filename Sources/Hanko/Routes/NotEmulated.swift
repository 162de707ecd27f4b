import HTTP
import PlatformKit

extension Hanko {
    /// Endpoints of the original that are refused with 501 and the name of what is missing.
    static let missingRoutes: [Route<Hanko>] =
        Route.classic([
            Route(.get, "/thirdparty/auth", missing("third-party sign-in")),
            Route(.post, "/token", missing("third-party sign-in")),
        ])
        + [
            Route(.get, "/thirdparty/callback", missing("third-party sign-in")),
            Route(.post, "/thirdparty/callback", missing("third-party sign-in")),
        ]
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
}
