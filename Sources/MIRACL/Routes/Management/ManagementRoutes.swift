import PlatformKit

extension MIRACL {
    /// What back ends ask: one-time passwords, revocation, the audit.
    static let managementRoutes: [Route<MIRACL>] = [
        .post("/otp", MIRACL.checkPassword),
        .get("/otpgen", MIRACL.showPasswords),
        .post("/api/v1/projects/:project/mpinids/:id/revocation", MIRACL.revokeIdentity),
        .get("/api/v1/projects/:project/audit", MIRACL.listAudit),
    ]
}
