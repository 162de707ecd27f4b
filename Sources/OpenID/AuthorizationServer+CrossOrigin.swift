package import PlatformKit

extension AuthorizationServer {
    /// Which web pages of other origins may call: the endpoints that a browser is sent to, none of them; registration,
    /// only where the fixtures let them. Metadata and keys are open to every page.
    ///
    /// Source: ours.
    package func crossOriginPolicy() throws -> CrossOriginPolicy {
        try services.memo.value(profile.crossOriginName) { try makeCrossOriginPolicy() }
    }

    private func makeCrossOriginPolicy() throws -> CrossOriginPolicy {
        let settings = try settings()
        let registration = profile.paths.registration.flatMap { [$0, $0 + "/*"] }
        let isOpen = settings.registrationFromPages ?? false
        var policy = CrossOriginPolicy(
            allowedOrigins: settings.allowedOrigins ?? ["*"], allowedMethods: "GET, POST, PUT, DELETE",
            exposedHeaders: ["WWW-Authenticate"] + (settings.offersDPoP ? ["DPoP-Nonce"] : []),
            exemptPaths: profile.pages + (isOpen ? [] : registration), formPaths: profile.formPaths,
            openPaths: profile.openPaths)
        for path in registration {
            policy.exemptionLines[path] =
                "\"registration_from_pages\": true in \(profile.name).oauth.settings"
        }
        return policy
    }
}
