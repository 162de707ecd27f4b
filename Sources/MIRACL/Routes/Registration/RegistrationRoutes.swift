import PlatformKit

extension MIRACL {
    /// From a user id to the secrets on a device.
    static let registrationRoutes: [Route<MIRACL>] = [
        .put("/rps/v2/user", MIRACL.startRegistration),
        .put("/rps/v2/user/:id", MIRACL.restartRegistration),
        .get("/rps/v2/signature/:id", MIRACL.giveFirstShare),
        .get("/rps/v2/secret/:ticket", MIRACL.giveSecret),
        .get("/rps/v2/dta/clientSecret", MIRACL.giveClassicSecret),
        .post("/registration", MIRACL.register),
    ]
}
