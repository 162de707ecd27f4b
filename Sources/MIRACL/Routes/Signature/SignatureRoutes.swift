import PlatformKit

extension MIRACL {
    /// Signatures of documents, and the sessions in which a back end asks for one.
    static let signatureRoutes: [Route<MIRACL>] = [
        .post("/rps/v2/dvsregister", MIRACL.registerSigningKey),
        .post("/dvs/verify", MIRACL.verifySignature),
        .get("/dvs/jwks", MIRACL.tellKeys),
        .get("/.well-known/jwks", MIRACL.tellKeys),
        .post("/dvs/session", MIRACL.startSigningSession),
        .post("/dvs/session/details", MIRACL.tellSigningSession),
        .put("/dvs/session", MIRACL.finishSigningSession),
        .delete("/dvs/session", MIRACL.abortSigningSession),
    ]
}
