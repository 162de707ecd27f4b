import PlatformKit

extension PowerAuth {
    /// What the mobile SDK calls, below `/enrollment-server` and at the root of the host name `enrollment-server.localhost`.
    static let mobileRoutes: [Route<PowerAuth>] = [
        .post("/pa/v3/status", PowerAuth.serverStatus),
        .get("/api/service/status", PowerAuth.showEnrollmentService),
        .post("/pa/v3/keystore/create", PowerAuth.createTemporaryKey),

        .post("/pa/v3/activation/create", PowerAuth.createActivation),
        .post("/pa/v3/activation/status", PowerAuth.activationStatus),
        .post("/pa/v3/activation/detail", PowerAuth.activationDetail),
        .post("/pa/v3/activation/rename", PowerAuth.renameActivation),
        .post("/pa/v3/activation/remove", PowerAuth.removeActivation),

        .post("/pa/v3/signature/validate", PowerAuth.validateSignature),
        .get("/pa/v3/signature/validate", PowerAuth.validateSignature),
        .put("/pa/v3/signature/validate", PowerAuth.validateSignature),
        .delete("/pa/v3/signature/validate", PowerAuth.validateSignature),

        .post("/pa/v3/token/create", PowerAuth.createToken),
        .post("/pa/v3/token/remove", PowerAuth.removeToken),
        .post("/pa/v3/vault/unlock", PowerAuth.unlockVault),
        .post("/pa/v3/user/info", PowerAuth.showUserInfo),
        .post("/pa/v3/recovery/confirm", PowerAuth.confirmRecovery),

        .post("/pa/v3/upgrade/start", PowerAuth.startUpgrade),
        .post("/pa/v3/upgrade/commit", PowerAuth.commitUpgrade),
    ]
}
