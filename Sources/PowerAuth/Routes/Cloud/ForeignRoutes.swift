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
    ]

    func refusePasskeys(_ request: Request) throws -> Response {
        throw notEmulated(
            "Passkeys of PowerAuth Cloud are not emulated; the platform hanko of Understudy speaks WebAuthn.")
    }

    private func notEmulated(_ message: String) -> CloudRefusal {
        var error = CloudRefusal(.generic, message)
        error.status = .notImplemented
        return error
    }
}
