import HTTP
import PlatformKit

extension NextAuth {
    /// The device protocol, which apps call.
    static let deviceRoutes: [Route<NextAuth>] = deviceProtocol.map(\.forDevices)

    private static let deviceProtocol: [Route<NextAuth>] = [
        .get("/servers/:serverid", NextAuth.showServerToDevice)
    ]
}

extension Route where P == NextAuth {
    /// The route below the base path of the device protocol; what cannot be read is refused in its own shape.
    fileprivate var forDevices: Route {
        Route(method, "/device/v1" + pattern) { [handler] platform in
            { request in
                do {
                    return try handler(platform)(request)
                } catch let malformed as RequestMalformed {
                    throw DeviceError.malformed(malformed.reason)
                }
            }
        }
    }
}
