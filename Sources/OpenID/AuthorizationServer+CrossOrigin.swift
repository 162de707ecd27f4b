package import PlatformKit

extension AuthorizationServer {
    /// Which web pages of other origins may call: the endpoints that a browser is sent to, none of them. Metadata
    /// and keys are open to every page.
    ///
    /// Source: onegini.md ST-62.
    package func crossOriginPolicy() throws -> CrossOriginPolicy {
        let paths = profile.paths
        let pages = [
            paths.authorization, paths.login, paths.consent, paths.logout, paths.checkSession,
            paths.deviceVerification,
        ]
        return CrossOriginPolicy(
            allowedOrigins: try settings().allowedOrigins ?? ["*"],
            allowedMethods: "GET, POST, PUT, DELETE", exposedHeaders: ["WWW-Authenticate"],
            exemptPaths: pages.flatMap { $0 }, openPaths: Self.documentPaths + paths.keys)
    }
}
