import HTTP
import PlatformKit

extension NextAuth {
    /// The server API 2.2, which back ends call.
    static let serverRoutes: [Route<NextAuth>] = []
}
