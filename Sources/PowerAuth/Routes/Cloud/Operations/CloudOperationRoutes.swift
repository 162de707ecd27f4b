import PlatformKit

extension PowerAuth {
    static let cloudOperationRoutes: [Route<PowerAuth>] = [
        .post("/v2/operations", PowerAuth.createCloudOperation),
        .get("/v2/operations", PowerAuth.listCloudOperations),
        .get("/v2/operations/:operation", PowerAuth.showCloudOperation),
        // «Implement Login in Mobile Apps» prints it so; every other document has the plural.
        .get("/v2/operation/:operation", PowerAuth.showCloudOperation),
        .delete("/v2/operations/:operation", PowerAuth.cancelCloudOperation),
        .get("/v2/operations/:operation/offline/qr", PowerAuth.showOfflineQRCode),
        .post("/v2/operations/:operation/offline/otp", PowerAuth.verifyOfflineOTP),
    ]
}
