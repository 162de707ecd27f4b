import PlatformKit

extension PowerAuth {
    /// The Mobile Token API, below `/enrollment-server`.
    static let mobileTokenRoutes: [Route<PowerAuth>] = []
}
