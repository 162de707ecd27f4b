import Crypto
import HTTP
import PlatformKit

extension Hanko {
    /// The admin side. Source: Hanko 2.7, admin API.
    static let adminRoutes: [Route<Hanko>] =
        [
            .get("", Hanko.statusPage),
            .get("/", Hanko.statusPage),
            .get("/health/alive", Hanko.healthAlive),
            .get("/health/ready", Hanko.healthReady),
        ]
        + [
            .get("/metrics", Hanko.adminMetrics),

            .get("/users", Hanko.adminListUsers),
            .post("/users", Hanko.adminCreateUser),
            .get("/users/:id", Hanko.adminShowUser),
            .patch("/users/:id", Hanko.adminChangeUser),
            .delete("/users/:id", Hanko.adminDeleteUser),
            .get("/users/:id/metadata", Hanko.adminShowMetadata),
            .patch("/users/:id/metadata", Hanko.adminChangeMetadata),

            .get("/users/:id/emails", Hanko.adminListEmails),
            .post("/users/:id/emails", Hanko.adminAddEmail),
            .get("/users/:id/emails/:email", Hanko.adminShowEmail),
            .delete("/users/:id/emails/:email", Hanko.adminRemoveEmail),
            .post("/users/:id/emails/:email/set_primary", Hanko.adminSetPrimaryEmail),

            .get("/users/:id/webauthn_credentials", Hanko.adminListCredentials),
            .get("/users/:id/webauthn_credentials/:credential", Hanko.adminShowCredential),
            .delete("/users/:id/webauthn_credentials/:credential", Hanko.adminRemoveCredential),

            .get("/users/:id/password", Hanko.adminShowPassword),
            .post("/users/:id/password", Hanko.adminCreatePassword),
            .put("/users/:id/password", Hanko.adminChangePassword),
            .delete("/users/:id/password", Hanko.adminRemovePassword),

            .get("/users/:id/otp", Hanko.adminShowOTP),
            .delete("/users/:id/otp", Hanko.adminRemoveOTP),

            .get("/users/:id/sessions", Hanko.adminListSessions),
            .delete("/users/:id/sessions/:session", Hanko.adminRemoveSession),
            .post("/sessions", Hanko.adminCreateSession),

            .get("/audit_logs", Hanko.adminListAuditLogs),

            .get("/webhooks", Hanko.adminListWebhooks),
            .post("/webhooks", Hanko.adminCreateWebhook),
            .get("/webhooks/:id", Hanko.adminShowWebhook),
            .put("/webhooks/:id", Hanko.adminChangeWebhook),
            .delete("/webhooks/:id", Hanko.adminRemoveWebhook),
        ].map(guarded)

    /// The same under `/admin` of the public side, where the hosted product has it.
    static let hostedAdminRoutes = adminRoutes.map { Route($0.method, "/admin" + $0.pattern, $0.handler) }

    /// The route behind the key, where the fixtures set one. All of them pass here, so none can forget it.
    private static func guarded(_ route: Route<Hanko>) -> Route<Hanko> {
        Route(route.method, route.pattern) { hanko in
            { request in
                try hanko.requireAdminKey(request)
                return try route.handler(hanko)(request)
            }
        }
    }

    private func requireAdminKey(_ request: Request) throws {
        guard let key = try configuration().own.adminKey else { return }
        let words = (request.headers["Authorization"] ?? "").split(separator: " ").map(String.init)
        guard words.count == 2, words[0].equalsIgnoringCase("Bearer") else {
            throw AdminRefusal.keyMissing
        }
        guard constantTimeEqual(Array(words[1].utf8), Array(key.utf8)) else {
            throw AdminRefusal.keyWrong
        }
    }
}
