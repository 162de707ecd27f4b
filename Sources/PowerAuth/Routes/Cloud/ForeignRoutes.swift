import HTTP
import PlatformKit

extension PowerAuth {
    /// What the real service has and this one has not: each path says so.
    static let foreignRoutes: [Route<PowerAuth>] = [
        .post("/v2/fido2/registrations/list", PowerAuth.refusePasskeys),
        .post("/v2/fido2/registrations/challenge", PowerAuth.refusePasskeys),
        .post("/v2/fido2/registrations", PowerAuth.refusePasskeys),
        .post("/v2/fido2/assertions/challenge", PowerAuth.refusePasskeys),
        .post("/v2/fido2/assertions", PowerAuth.refusePasskeys),
        .get("/registration", PowerAuth.refuseFirstVersion),
        .post("/registration", PowerAuth.refuseFirstVersion),
        .put("/registration", PowerAuth.refuseFirstVersion),
        .delete("/registration", PowerAuth.refuseFirstVersion),
        .post("/registration/commit", PowerAuth.refuseFirstVersion),
        .get("/operations", PowerAuth.refuseFirstVersion),
        .post("/operations", PowerAuth.refuseFirstVersion),
        .delete("/operations", PowerAuth.refuseFirstVersion),
    ]

    private func refusePasskeys(_ request: Request) throws -> Response {
        throw notEmulated(
            "Passkeys of PowerAuth Cloud are not emulated; the platform hanko of Understudy speaks WebAuthn.")
    }

    private func refuseFirstVersion(_ request: Request) throws -> Response {
        throw notEmulated(
            "The single-device API of PowerAuth Cloud is not emulated. Use its version 2: the same path below /v2 with a "
                + "registration id, such as /v2/registrations.")
    }

    private func notEmulated(_ message: String) -> CloudError {
        var error = CloudError(.generic, message)
        error.status = .notImplemented
        return error
    }
}
