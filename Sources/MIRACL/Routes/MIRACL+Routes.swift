import PlatformKit

extension MIRACL {
    /// What a client asks before everything else.
    static let settingsRoutes: [Route<MIRACL>] = [
        .get("/rps/v2/clientSettings", MIRACL.tellClientSettings),
        .get("/rps/clientSettings", MIRACL.tellClientSettings),
        .get("/service", MIRACL.tellService),
        .get("/.well-known/project-configuration", MIRACL.tellProject),
    ]

    /// From a user id to the secrets on a device.
    static let registrationRoutes: [Route<MIRACL>] = [
        .put("/rps/v2/user", MIRACL.startRegistration),
        .put("/rps/v2/user/:id", MIRACL.restartRegistration),
        .get("/rps/v2/signature/:id", MIRACL.giveFirstShare),
        .get("/rps/v2/secret/:ticket", MIRACL.giveSecret),
        .get("/rps/v2/dta/clientSecret", MIRACL.giveClassicSecret),
        .post("/registration", MIRACL.register),
    ]

    /// Two passes, and what they are good for.
    static let proofRoutes: [Route<MIRACL>] = [
        .post("/rps/v2/pass1", MIRACL.firstPass),
        .post("/rps/v2/pass2", MIRACL.secondPass),
        .post("/rps/v2/authenticate", MIRACL.authenticate),
    ]

    /// A browser or a back end waits, a phone decides.
    static let sessionRoutes: [Route<MIRACL>] = [
        .get("/authorize", MIRACL.showLoginPage).for(.browser),
        .post("/authorize", MIRACL.startAuthorization).for(.browser),
        .get("/authorize/wait/:ott", MIRACL.showWaitingPage).for(.browser),
        .post("/pushauth", MIRACL.startPush).for(.browser),
        .post("/rps/v2/session", MIRACL.startSession).for(.browser),
        .post("/rps/v2/codeStatus", MIRACL.tellCodeStatus),
        .post("/rps/v2/access", MIRACL.tellAccess).for(.browser),
        .post("/rps/v2/getAccessNumber", MIRACL.giveAccessNumber),
        .post("/rps/v2/accessNumber", MIRACL.tellClassicAccess),
        .get("/mobile-login", MIRACL.showLandingPage).for(.browser),
        .get("/mobile-login/", MIRACL.showLandingPage).for(.browser),
    ]

    /// How a user proves to be the owner of an id.
    static let verificationRoutes: [Route<MIRACL>] = [
        .post("/verification/email", MIRACL.sendVerificationMail),
        .post("/verification", MIRACL.startVerification).for(.backEnd),
        .get("/verification/confirmation", MIRACL.showConfirmation).for(.browser),
        .post("/verification/confirmation", MIRACL.confirmVerification),
        .post("/verification/quickcode", MIRACL.giveQuickCode),
        .post("/activate/initiate", MIRACL.initiateActivation).for(.backEnd),
        .post("/rps/v2/user/:id", MIRACL.activateIdentity),
        .post("/rps/user/:id", MIRACL.activateIdentity),
        .get("/api/v1/search", MIRACL.searchMails).for(.backEnd),
        .get("/api/v1/message/:id", MIRACL.showMail).for(.backEnd),
    ]

    /// Signatures of documents, and the sessions in which a back end asks for one.
    static let signatureRoutes: [Route<MIRACL>] = [
        .post("/rps/v2/dvsregister", MIRACL.registerSigningKey),
        .post("/dvs/verify", MIRACL.verifySignature).for(.backEnd),
        .get("/dvs/jwks", MIRACL.tellKeys).for(.backEnd),
        .get("/.well-known/jwks", MIRACL.tellKeys).for(.backEnd),
        .post("/dvs/session", MIRACL.startSigningSession).for(.backEnd),
        .post("/dvs/session/details", MIRACL.tellSigningSession),
        .put("/dvs/session", MIRACL.finishSigningSession),
        .delete("/dvs/session", MIRACL.abortSigningSession),
    ]

    /// What clients of the first generation ask beside proofs.
    static let classicRoutes: [Route<MIRACL>] = [
        .get("/rps/v2/timePermit/:id", MIRACL.giveTimePermit),
        .get("/rps/v2/permits/:app/:date/:storage", MIRACL.giveStoredPermit),
        .get("/rps/v2/dta/timePermit", MIRACL.giveClassicPermit),
        .post("/rps/v2/setupDone/:id", MIRACL.noteSetup),
    ]

    /// What back ends ask: one-time passwords, revocation, the audit.
    static let managementRoutes: [Route<MIRACL>] = [
        .post("/otp", MIRACL.checkPassword).for(.backEnd),
        .get("/otpgen", MIRACL.showPasswords).for(.browser),
        .post("/api/v1/projects/:project/mpinids/:id/revocation", MIRACL.revokeIdentity).for(.backEnd),
        .get("/api/v1/projects/:project/audit", MIRACL.listAudit).for(.backEnd),
    ]
}
