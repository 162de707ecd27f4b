import PlatformKit

extension Onegini {
    /// End-user API, events API, introspection, in-app approval of devices.
    static let managementRoutes: [Route<Onegini>] = [
        .get("/api/v1/users/:userId/tokens", Onegini.listUserTokens),
        .delete("/api/v1/users/:userId/tokens/:tokenId", Onegini.removeUserToken),
        .get("/api/v1/users/:userId/applications", Onegini.listUserApplications),
        .delete("/api/v1/users/:userId/applications/:applicationId", Onegini.removeUserApplication),
        .get("/api/v1/users/:userId/consents", Onegini.listUserConsents),
        .delete("/api/v1/users/:userId/consents/:consentId", Onegini.removeUserConsent),
        .get("/api/v1/users/:userId/sessions", Onegini.listUserSessions),
        .delete("/api/v1/users/:userId/sessions", Onegini.removeUserSessions),
        .delete("/api/v1/users/:userId/sessions/:sessionId", Onegini.removeUserSession),
    ]

    /// Config and admin APIs, as they look behind `/api`.
    static let configurationRoutes: [Route<Onegini>] = []
}
