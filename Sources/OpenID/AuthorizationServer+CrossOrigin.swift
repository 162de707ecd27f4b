package import PlatformKit

extension AuthorizationServer {
    /// Which web pages of other origins may call: the endpoints that a browser is sent to, none of them. Metadata
    /// and keys are open to every page.
    ///
    /// Source: ours.
    package func crossOriginPolicy() throws -> CrossOriginPolicy {
        CrossOriginPolicy(
            allowedOrigins: try settings().allowedOrigins ?? ["*"],
            allowedMethods: "GET, POST, PUT, DELETE", exposedHeaders: ["WWW-Authenticate"],
            exemptPaths: profile.pages, formPaths: profile.formPaths, openPaths: profile.openPaths)
    }
}
