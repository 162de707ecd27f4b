import PlatformKit

extension PowerAuth {
    /// What the mobile SDK calls, below `/enrollment-server` and at its root.
    static let mobileRoutes: [Route<PowerAuth>] = []
}
