import HTTP
import PlatformKit

extension Onegini {
    /// End-user API, events API, introspection, in-app approval of devices.
    static let managementRoutes: [Route<Onegini>] =
        [
            .get("/api/v1/users/:userId/tokens", Onegini.listUserTokens),
            .delete("/api/v1/users/:userId/tokens/:tokenId", Onegini.removeUserToken),
            .get("/api/v1/users/:userId/applications", Onegini.listUserApplications),
            .delete("/api/v1/users/:userId/applications/:applicationId", Onegini.removeUserApplication),
            .get("/api/v1/users/:userId/consents", Onegini.listUserConsents),
            .delete("/api/v1/users/:userId/consents/:consentId", Onegini.removeUserConsent),
            .get("/api/v1/users/:userId/sessions", Onegini.listUserSessions),
            .delete("/api/v1/users/:userId/sessions", Onegini.removeUserSessions),
            .delete("/api/v1/users/:userId/sessions/:sessionId", Onegini.removeUserSession),

            .get("/api/v4/users/:userId/devices", Onegini.listUserDevices),
            .get("/api/v3/users/:userId/devices", Onegini.listUserDevicesV3),

            .get("/api/v1/events", Onegini.listEvents),
            .post("/api/v2/token/introspect", Onegini.introspectAccessToken),
            .post("/api/v1/token/introspect", Onegini.introspectAccessTokenV1),
            .post("/device_authorization/approve", Onegini.approveDevice),
        ] + deviceManagementRoutes("/api/v4") + deviceManagementRoutes("/api/v3")

    /// What both versions of the device API have alike.
    private static func deviceManagementRoutes(_ base: String) -> [Route<Onegini>] {
        let device = base + "/users/:userId/devices/:deviceId"
        return [
            .delete(base + "/users/:userId/devices", Onegini.removeAllUserDevices),
            .post(base + "/users/:userId/devices", Onegini.removeSomeUserDevices),
            .delete(device, Onegini.removeUserDevice),
            .post(device + "/disableFingerprint", Onegini.disableFingerprint),
            .post(device + "/disableMobileAuthentication", Onegini.disableMobileAuthentication),
            .post(device + "/disablePushAuthentication", Onegini.disablePushAuthentication),
        ]
    }

    /// Config and admin APIs, as they look behind `/api`.
    static let configurationRoutes: [Route<Onegini>] = [
        .get("/v1/configuration/web-clients", Onegini.listWebClients),
        .post("/v1/configuration/web-clients", Onegini.createWebClient),
        .get("/v1/configuration/web-clients/:client_id", Onegini.showWebClient),
        .patch("/v1/configuration/web-clients/:client_id", Onegini.updateWebClient),
        .delete("/v1/configuration/web-clients/:client_id", Onegini.removeWebClient),

        .get("/v1/configuration/api-clients", Onegini.listAPIClients),
        .post("/v1/configuration/api-clients", Onegini.createAPIClient),
        .get("/v1/configuration/api-clients/:client_id", Onegini.showAPIClient),
        .patch("/v1/configuration/api-clients/:client_id", Onegini.updateAPIClient),
        .delete("/v1/configuration/api-clients/:client_id", Onegini.removeAPIClient),

        .get("/v1/configuration/scopes", Onegini.listScopes),
        .post("/v1/configuration/scopes", Onegini.createScope),
        .get("/v1/configuration/scopes/:scope", Onegini.showScope),
        .patch("/v1/configuration/scopes/:scope", Onegini.updateScope),
        .delete("/v1/configuration/scopes/:scope", Onegini.removeScope),

        .get("/v1/configuration/idps", Onegini.listIdentityProviders),
        .post("/v1/configuration/idps", Onegini.createIdentityProvider),
        .get("/v1/configuration/idps/:id/", Onegini.showIdentityProvider),
        .get("/v1/configuration/idps/:id", Onegini.refuseMissingSlash),
        .delete("/v1/configuration/idps/:id", Onegini.removeIdentityProvider),

        .get(versionsPath, Onegini.listApplicationVersions),
        .post(versionsPath, Onegini.createApplicationVersion),
        .get(versionsPath + "/:versionName/", Onegini.showApplicationVersion),
        .patch(versionsPath + "/:versionName/", Onegini.updateApplicationVersion),
        .delete(versionsPath + "/:versionName/", Onegini.removeApplicationVersion),
        .get(versionsPath + "/:versionName", Onegini.refuseMissingSlash),
        .patch(versionsPath + "/:versionName", Onegini.refuseMissingSlash),
        .delete(versionsPath + "/:versionName", Onegini.refuseMissingSlash),
        .post(versionsPath + "/:versionName/clone", Onegini.cloneApplicationVersion),
        .get(versionsPath + "/:versionName/export", Onegini.exportApplicationVersion),

        .get("/v1/configuration/web-hooks", Onegini.listWebHooks),
        .post("/v1/configuration/web-hooks", Onegini.createWebHook),
        .get("/v1/configuration/web-hooks/:id", Onegini.showWebHook),
        .patch("/v1/configuration/web-hooks/:id", Onegini.updateWebHook),
        .delete("/v1/configuration/web-hooks/:id", Onegini.removeWebHook),
    ]

    /// A path of the config API that is documented with a slash at its end, asked for without.
    ///
    /// - Request: any.
    /// - Response: none.
    /// - Errors: 404 `not_found`.
    /// - Source: Token Server documentation, application version API and identity providers API: “`/` at the end is required”.
    func refuseMissingSlash(_ request: Request) throws -> Response {
        throw AdministrationRefusal.slashMissing(String(request.target.prefix { $0 != "?" }))
    }
}
