import PlatformKit

extension MIRACL {
    /// Two passes, and what they are good for.
    static let proofRoutes: [Route<MIRACL>] = [
        .post("/rps/v2/pass1", MIRACL.firstPass),
        .post("/rps/v2/pass2", MIRACL.secondPass),
        .post("/rps/v2/authenticate", MIRACL.authenticate),
    ]
}
