import PlatformKit

extension Onegini {
    /// End-user API, events API, introspection, in-app approval of devices.
    static let managementRoutes: [Route<Onegini>] = []

    /// Config and admin APIs, as they look behind `/api`.
    static let configurationRoutes: [Route<Onegini>] = []
}
