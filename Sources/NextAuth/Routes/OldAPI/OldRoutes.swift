import HTTP
import PlatformKit

extension NextAuth {
    /// The API that the present one replaced, below `/api`.
    ///
    /// Each call is one of the present API with the nonce in its path and `{"result": …}` for an answer. Source: API description
    /// 0.0.3.
    static let oldAPI: [Route<NextAuth>] =
        [Route.post("/api/nauth", NextAuth.refuseDeviceProtocol)] + oldServerCalls + oldSessionCalls

    private static let oldServerCalls: [Route<NextAuth>] = [
        .post("/api/servers", NextAuth.createOldServer),
        .get("/api/servers/:serverid", NextAuth.showOldServer),
        .put("/api/servers/:serverid", NextAuth.updateOldServer),
        .get("/api/servers/:serverid/vash", NextAuth.showVisualHash),
        .get("/api/servers/:serverid/accounts/:accountid", NextAuth.showOldAccount),
        .put("/api/servers/:serverid/accounts/:accountid", NextAuth.updateOldAccount),
        .delete("/api/servers/:serverid/accounts/:accountid", NextAuth.deleteAccount),
        .get("/api/servers/:serverid/users", NextAuth.listOldUsers),
        .get("/api/servers/:serverid/users/:userid", NextAuth.listOldUserAccounts),
    ]

    private static let oldSessionCalls: [Route<NextAuth>] = [
        .get("/api/servers/:serverid/sessions/:nonce", NextAuth.showOldSession),
        .post("/api/servers/:serverid/sessions/:nonce/logout", NextAuth.logOutOldSession),
        .post("/api/servers/:serverid/sessions/:nonce/provokelogin", NextAuth.provokeOldLogin),
        .post("/api/servers/:serverid/sessions/:nonce/registeruser", NextAuth.registerOldUser),
        .get("/api/servers/:serverid/sessions/:nonce/qr", NextAuth.showOldCode),
        .post(
            "/api/servers/:serverid/accounts/:accountid/provokelogin/:nonce",
            NextAuth.provokeOldLoginOfAccount),
        .post("/api/servers/:serverid/users/:userid/provokelogin/:nonce", NextAuth.provokeOldLoginOfUser),
    ]
}
