import PlatformKit

extension MIRACL {
    /// What a client asks before everything else.
    static let settingsRoutes: [Route<MIRACL>] = [
        .get("/rps/v2/clientSettings", MIRACL.tellClientSettings),
        .get("/rps/clientSettings", MIRACL.tellClientSettings),
        .get("/service", MIRACL.tellService),
        .get("/.well-known/project-configuration", MIRACL.tellProject),
    ]
}
