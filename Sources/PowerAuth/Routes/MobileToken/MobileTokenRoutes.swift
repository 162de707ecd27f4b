import PlatformKit

extension PowerAuth {
    /// The Mobile Token API, below `/enrollment-server`.
    static let mobileTokenRoutes: [Route<PowerAuth>] = [
        .post("/api/auth/token/app/operation/list", PowerAuth.listPendingOperations),
        .post("/api/auth/token/app/operation/detail", PowerAuth.showMobileOperation),
        .post("/api/auth/token/app/operation/detail/claim", PowerAuth.claimMobileOperation),
        .post("/api/auth/token/app/operation/history", PowerAuth.listOperationHistory),
        .post("/api/auth/token/app/operation/authorize", PowerAuth.authorizeOperation),
        .post("/api/auth/token/app/operation/cancel", PowerAuth.rejectOperation),

        .post("/api/push/device/register", PowerAuth.registerPushDevice),
        .post("/api/push/device/register/token", PowerAuth.registerPushDevice),

        .post("/api/inbox/count", PowerAuth.countInboxMessages),
        .post("/api/inbox/message/list", PowerAuth.listInboxMessages),
        .post("/api/inbox/message/detail", PowerAuth.showInboxMessage),
        .post("/api/inbox/message/read", PowerAuth.readInboxMessage),
        .post("/api/inbox/message/read-all", PowerAuth.readAllInboxMessages),

        .post("/api/activation/code", PowerAuth.spawnActivationCode),
        .post("/api/config/oidc", PowerAuth.showOpenIDProvider),
        .get("/api/admin/template", PowerAuth.listMobileTemplates),
    ]
}
