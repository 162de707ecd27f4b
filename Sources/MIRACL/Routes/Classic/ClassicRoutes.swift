import PlatformKit

extension MIRACL {
    /// What clients of the first generation ask beside proofs.
    static let classicRoutes: [Route<MIRACL>] = [
        .get("/rps/v2/timePermit/:id", MIRACL.giveTimePermit),
        .get("/rps/v2/permits/:app/:date/:storage", MIRACL.giveStoredPermit),
        .get("/rps/v2/dta/timePermit", MIRACL.giveClassicPermit),
        .post("/rps/v2/setupDone/:id", MIRACL.noteSetup),
    ]
}
