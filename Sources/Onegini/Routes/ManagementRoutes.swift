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
    static let configurationRoutes: [Route<Onegini>] = []
}
