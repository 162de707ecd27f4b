import HTTP
import PlatformKit

extension NextAuth {
    /// The device protocol, which apps call. Everything but the first two needs `Authorization: Device TOKEN`.
    static let deviceRoutes: [Route<NextAuth>] = deviceProtocol.map(\.forDevices)

    private static let deviceProtocol: [Route<NextAuth>] = [
        .post("/instances", NextAuth.registerInstance),
        .get("/servers/:serverid", NextAuth.showServerToDevice),

        .get("/instance", NextAuth.showInstance),
        .put("/instance", NextAuth.changeInstance),
        .delete("/instance", NextAuth.removeInstance),
        .post("/instance/challenge", NextAuth.challengeInstance),
        .post("/instance/pin", NextAuth.changePIN),

        .post("/flows", NextAuth.startFlow),
        .get("/flows/:id", NextAuth.showFlow),
        .post("/flows/:id/confirm", NextAuth.confirmFlow),
        .post("/flows/:id/secondfactor", NextAuth.answerSecondFactor),
        .post("/flows/:id/complete", NextAuth.completeFlow),
        .post("/flows/:id/cancel", NextAuth.cancelFlow),

        .get("/sessions", NextAuth.listDeviceSessions),
        .post("/sessions/:id/ping", NextAuth.pingSession),
        .post("/sessions/:id/stop", NextAuth.stopSession),

        .get("/events", NextAuth.waitForEvents),
        .get("/messages", NextAuth.listMessages),
        .post("/messages/:id/read", NextAuth.readMessage),

        .get("/accounts", NextAuth.listDeviceAccounts),
        .delete("/accounts/:id", NextAuth.deleteOwnAccount),
    ]
}

extension Route where P == NextAuth {
    /// The route below the base path of the device protocol; what cannot be read is refused in its own shape.
    fileprivate var forDevices: Route {
        Route(method, "/device/v1" + pattern) { [handler] platform in
            { request in
                do {
                    return try handler(platform)(request)
                } catch let malformed as RequestMalformed {
                    throw DeviceRefusal.malformed(malformed.reason)
                }
            }
        }
    }
}
