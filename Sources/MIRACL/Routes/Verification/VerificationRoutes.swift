import PlatformKit

extension MIRACL {
    /// How a user proves to be the owner of an id.
    static let verificationRoutes: [Route<MIRACL>] = [
        .post("/verification/email", MIRACL.sendVerificationMail),
        .post("/verification", MIRACL.startVerification),
        .get("/verification/confirmation", MIRACL.showConfirmation),
        .post("/verification/confirmation", MIRACL.confirmVerification),
        .post("/verification/quickcode", MIRACL.giveQuickCode),
        .post("/activate/initiate", MIRACL.initiateActivation),
        .post("/rps/v2/user/:id", MIRACL.activateIdentity),
        .post("/rps/user/:id", MIRACL.activateIdentity),
        .get("/api/v1/search", MIRACL.searchMails),
        .get("/api/v1/message/:id", MIRACL.showMail),
    ]
}
