import HTTP
import PlatformKit

extension PowerAuth {
    /// What the mobile SDK 2.x calls with a suite of protocol 4.0, beside the paths of 3.x.
    static let mobile4Routes: [Route<PowerAuth>] =
        [
            .post("/pa/v4/status", PowerAuth.serverStatus4),
            .post("/pa/v4/keystore/create", PowerAuth.createTemporaryKey4),

            .post("/pa/v4/activation/create", PowerAuth.createActivation4),
            .post("/pa/v4/activation/confirm", PowerAuth.confirmActivation4),
            .post("/pa/v4/activation/status", PowerAuth.activationStatus4),
            .post("/pa/v4/activation/detail", PowerAuth.activationDetail4),
            .post("/pa/v4/activation/rename", PowerAuth.renameActivation4),
            .post("/pa/v4/activation/remove", PowerAuth.removeActivation4),

            .post("/pa/v4/token/create", PowerAuth.createToken4),
            .post("/pa/v4/token/remove", PowerAuth.removeToken4),
            .post("/pa/v4/vault/unlock", PowerAuth.unlockVault4),
            .post("/pa/v4/password/change", PowerAuth.changePassword4),
            .post("/pa/v4/biometry/add", PowerAuth.addBiometry4),
            .post("/pa/v4/biometry/remove", PowerAuth.removeBiometry4),
            .post("/pa/v4/upgrade/start", PowerAuth.startUpgrade4),
            .post("/pa/v4/upgrade/confirm", PowerAuth.confirmUpgrade4),
            .post("/pa/v4/user/info", PowerAuth.showUserInfo4),
            .post("/pa/v4/config/application", PowerAuth.showApplicationConfiguration4),
            .post("/pa/v4/config/activation", PowerAuth.showActivationConfiguration4),
        ]
        + [Request.Method.get, .post, .put, .delete].map { method in
            Route(method, "/pa/v4/auth/validate", PowerAuth.validateCode4)
        }
}
