import PlatformKit

extension MIRACL {
    /// A browser or a back end waits, a phone decides.
    static let sessionRoutes: [Route<MIRACL>] = [
        .get("/authorize", MIRACL.showLoginPage),
        .post("/authorize", MIRACL.startAuthorization),
        .get("/authorize/wait/:ott", MIRACL.showWaitingPage),
        .post("/pushauth", MIRACL.startPush),
        .post("/rps/v2/session", MIRACL.startSession),
        .post("/rps/v2/codeStatus", MIRACL.tellCodeStatus),
        .post("/rps/v2/access", MIRACL.tellAccess),
        .post("/rps/v2/getAccessNumber", MIRACL.giveAccessNumber),
        .post("/rps/v2/accessNumber", MIRACL.tellClassicAccess),
        .get("/mobile-login", MIRACL.showLandingPage),
        .get("/mobile-login/", MIRACL.showLandingPage),
    ]
}
