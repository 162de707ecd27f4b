import PlatformKit

extension Onegini {
    /// Mobile authentication: what portals call, what devices fetch and answer, the page with the QR code.
    static let mobileAuthenticationRoutes: [Route<Onegini>] = []
}
