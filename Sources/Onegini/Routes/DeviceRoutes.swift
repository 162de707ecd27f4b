import PlatformKit

extension Onegini {
    /// Our device protocol up to the enrollment for mobile authentication, and custom registration.
    static let deviceRoutes: [Route<Onegini>] = [
        .post("/sdk/v1/clients/challenge", Onegini.askChallenge),
        .post("/sdk/v1/clients", Onegini.registerDevice),
        .post("/sdk/v1/clients/validate", Onegini.validateDevice),

        .post("/sdk/v1/mobile-auth/enrollments", Onegini.startEnrollment),
        .put("/sdk/v1/mobile-auth/enrollments/:id/keys", Onegini.sendEnrollmentKeys),
        .post("/sdk/v1/mobile-auth/enrollments/:id/ack", Onegini.acknowledgeEnrollment),
        .post("/sdk/v1/mobile-auth/enroll", Onegini.enroll),
        .get("/sdk/v1/mobile-auth/enrollment", Onegini.showEnrollment),
        .delete("/sdk/v1/mobile-auth/enrollment", Onegini.endEnrollment),
        .put("/sdk/v1/mobile-auth/push", Onegini.enrollPush),
        .delete("/sdk/v1/mobile-auth/push", Onegini.endPush),
    ]
}
