import HTTP
import PlatformKit

extension PowerAuth {
    /// Wultra's digital onboarding, which apps call at the same address: each path says that it is not here.
    static let onboardingRoutes: [Route<PowerAuth>] = ["/api/onboarding/*rest", "/api/identity/*rest"].flatMap
    {
        [.get($0, PowerAuth.refuseOnboarding), .post($0, PowerAuth.refuseOnboarding)]
    }

    /// `GET` and `POST /api/onboarding/…` and `/api/identity/…`: the identification of new clients by documents and presence checks.
    ///
    /// - Request: anything.
    /// - Response: none.
    /// - Errors: 501 `ERROR_GENERIC` always.
    /// - Source: documentation of Wultra's Enrollment Server, “Onboarding”.
    private func refuseOnboarding(_ request: Request) throws -> Response { throw OnboardingRefused() }
}

private struct OnboardingRefused: PowerAuthRefusal {
    let explanation =
        "Digital onboarding and identity verification are not emulated. Activations begin with a code, an OpenID Connect provider, a recovery "
        + "code or attributes of your own."

    var wire: WireError { WireError(.notImplemented, "ERROR_GENERIC", explanation) }
}
