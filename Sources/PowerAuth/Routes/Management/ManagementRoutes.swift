import PlatformKit

extension PowerAuth {
    /// The management API v3 of the server below, at `/powerauth-java-server`.
    static let managementRoutes: [Route<PowerAuth>] = []
}
