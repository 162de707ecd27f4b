import PlatformKit

extension PowerAuth {
    /// PowerAuth Cloud, below `/powerauth-cloud`.
    static let cloudRoutes: [Route<PowerAuth>] =
        registrationRoutes + verificationRoutes + administrationRoutes + cloudCallbackRoutes
        + cloudOperationRoutes + singleDeviceRoutes + foreignRoutes

    static let registrationRoutes: [Route<PowerAuth>] = [
        .post("/v2/registrations", PowerAuth.startRegistration),
        .get("/v2/registrations", PowerAuth.listRegistrations),
        .get("/v2/registrations/:registration", PowerAuth.showRegistration),
        .put("/v2/registrations/:registration", PowerAuth.changeRegistration),
        .delete("/v2/registrations/:registration", PowerAuth.removeRegistration),
        .post("/v2/registrations/:registration/commit", PowerAuth.commitRegistration),
    ]

    static let verificationRoutes: [Route<PowerAuth>] = [
        .post("/v2/authentication/verify", PowerAuth.verifyAuthentication),
        .post("/v2/signature/verify", PowerAuth.verifyAuthentication),
        .post("/v2/token/verify", PowerAuth.verifyToken),
        .post("/v2/messages/send", PowerAuth.sendMessage),
        .post("/v2/inbox/messages", PowerAuth.createInboxMessage),
        .post("/v2/inbox/:user", PowerAuth.createInboxMessageForUser),
        .get("/api/service/status", PowerAuth.showCloudService),
        .get("/audit/log", PowerAuth.showAuditLog),
        .get("/v2/audit/log", PowerAuth.showAuditLog),
    ]

    static let administrationRoutes: [Route<PowerAuth>] = [
        .get("/admin/applications", PowerAuth.listCloudApplications),
        .post("/admin/applications", PowerAuth.createCloudApplication),
        .get("/admin/applications/:application", PowerAuth.showCloudApplication),
        .post("/admin/applications/:application/push/:service", PowerAuth.configurePush),
        .get("/admin/users", PowerAuth.listSystemUsers),
        .post("/admin/users", PowerAuth.createSystemUser),
        .get("/admin/users/:user", PowerAuth.showSystemUser),
        .post("/admin/users/:user/applications/:application", PowerAuth.assignApplication),
        .delete("/admin/users/:user/applications/:application", PowerAuth.unassignApplication),
        .post("/admin/users/:user/roles/:role", PowerAuth.assignRole),
        .delete("/admin/users/:user/roles/:role", PowerAuth.unassignRole),
    ]

    static let cloudCallbackRoutes: [Route<PowerAuth>] = [
        .get("/v2/admin/applications/:application/callbacks", PowerAuth.listCallbacks),
        .post("/v2/admin/applications/:application/callbacks", PowerAuth.createCallback),
        .get("/v2/admin/applications/:application/callbacks/:callback", PowerAuth.showCallback),
        .put("/v2/admin/applications/:application/callbacks/:callback", PowerAuth.updateCallback),
        .delete("/v2/admin/applications/:application/callbacks/:callback", PowerAuth.removeCallback),
    ]

}

extension PowerAuth {
    static let cloudOperationRoutes: [Route<PowerAuth>] = [
        .post("/v2/operations", PowerAuth.createCloudOperation),
        .get("/v2/operations", PowerAuth.listCloudOperations),
        .get("/v2/operations/:operation", PowerAuth.showCloudOperation),
        // “Implement Login in Mobile Apps” prints it so; every other document has the plural.
        .get("/v2/operation/:operation", PowerAuth.showCloudOperation),
        .delete("/v2/operations/:operation", PowerAuth.cancelCloudOperation),
        .get("/v2/operations/:operation/offline/qr", PowerAuth.showOfflineQRCode),
        .post("/v2/operations/:operation/offline/otp", PowerAuth.verifyOfflineOTP),
    ]
}
