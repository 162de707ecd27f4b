import HTTP
import PlatformKit

extension Onegini {
    /// Mobile authentication: what portals call, what devices fetch and answer, the page with the QR code.
    static let mobileAuthenticationRoutes: [Route<Onegini>] =
        portalRoutes.map { $0.for(.backEnd) } + handlingRoutes + pageRoutes.map { $0.for(.browser) }

    private static let portalRoutes: [Route<Onegini>] = [
        .get("/api/v4/authenticate/user/:user/enabled", Onegini.listAvailableMethods),
        .get("/api/v4/authenticate/user/:user/device/:device/enabled", Onegini.listTypesOnDevice),
        .post("/api/v4/authenticate/user", Onegini.startMobileAuthentication),
        .post("/api/v4/authenticate/user/:user/sms", Onegini.verifySMS),
        .post("/api/v4/authenticate/user/:user/sms/resend", Onegini.resendSMS),
        .get("/api/v4/authenticate/transaction/:id", Onegini.fetchResult),

        .get("/api/v3/authenticate/user/:user/enabled", Onegini.listAvailableMethodsV3),
        .get(
            "/api/v3/authenticate/user/:user/application/:application/enabled", Onegini.listTypesOfApplication
        ),
        .post("/api/v3/authenticate/user", Onegini.startMobileAuthenticationV3),
        .post("/api/v3/authenticate/user/:user/sms", Onegini.verifySMSV3),
        .post("/api/v3/authenticate/user/:user/sms/resend", Onegini.resendSMSV3),
        .get("/api/v3/authenticate/transaction/:id", Onegini.fetchResultV3),

        .get("/api/v2/authenticate/user/:user/enabled/:type", Onegini.isTypeAvailable),
        .post("/api/v2/authenticate/user", Onegini.startMobileAuthenticationV2),
        .post("/api/v2/authenticate/user/:user/sms", Onegini.verifySMSV2),
        .post("/api/v2/authenticate/user/:user/sms/resend", Onegini.resendSMSV2),
        .get("/api/v2/authenticate/transaction/:id", Onegini.fetchResultV2),

        .get("/authenticate/user/:user/enabled", Onegini.listTypesV1),
        .get("/authenticate/user/:user/enabled/:type", Onegini.isTypeAvailableV1),
        .post("/authenticate/user", Onegini.startMobileAuthenticationV1),
        .post("/authenticate/user/:user/sms", Onegini.verifySMSV1),
        .post("/authenticate/user/:user/sms/resend", Onegini.resendSMSV1),
        .get("/authenticate/transaction/:id", Onegini.fetchResultV1),
    ]

    private static let handlingRoutes: [Route<Onegini>] = [
        .post("/sdk/v1/mobile-auth/otp/fetch", Onegini.fetchOTP),
        .post("/sdk/v1/mobile-auth/otp/:id/answer", Onegini.answerOTP),
        .get("/sdk/v1/mobile-auth/pending", Onegini.listPendingPushes),
        .post("/sdk/v1/mobile-auth/push/:id/fetch", Onegini.fetchPush),
        .post("/sdk/v1/mobile-auth/push/:id/answer", Onegini.answerPush),
    ]

    private static let pageRoutes: [Route<Onegini>] = [
        .get("/sdk/v1/qr/:id", Onegini.showQRCode),
        .get("/sdk/v1/qr/:id/status", Onegini.showQRStatus),
    ]
}
