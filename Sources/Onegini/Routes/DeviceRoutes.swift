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

        .get("/sdk/v1/pin-policy", Onegini.showPINPolicy),
        .post("/sdk/v1/pin-policy/validate", Onegini.checkPIN),
        .put("/sdk/v1/profiles/:profile/pin", Onegini.setPIN),
        .post("/sdk/v1/profiles/:profile/pin/change", Onegini.changePIN),
        .post("/sdk/v1/profiles/:profile/login", Onegini.logInByPIN),

        .delete("/sdk/v1/profiles/:profile", Onegini.removeProfile),
        .delete("/sdk/v1/clients/self", Onegini.removeDevice),
        .post("/sdk/v1/app-to-web", Onegini.openWebPage),
        .get("/sdk/v1/app-to-web/:token", Onegini.followAppLink),

        .post("/custom-registration/:idp/init", Onegini.startCustomRegistration),
        .post("/custom-registration/:idp/complete", Onegini.completeCustomRegistration),
        .post("/v2/custom-registration/:idp/init", Onegini.startCustomRegistration),
        .post("/v2/custom-registration/:idp/complete", Onegini.completeCustomRegistration),
        .post("/api/v3/custom-registration/:idp/backchannel", Onegini.useBackchannel),
    ]
}
