import HTTP
package import PlatformKit

extension AuthorizationServer {
    /// One of the server's endpoints: a method, the paths at which it answers, and who answers.
    struct Endpoint: Sendable {
        typealias Handler = @Sendable (AuthorizationServer) -> (Request) throws -> Response

        let method: Request.Method
        let paths: [String]
        let handler: Handler
        /// Who calls it.
        var audience = Audience.client

        init(_ method: Request.Method, _ paths: [String], _ handler: @escaping Handler) {
            (self.method, self.paths, self.handler) = (method, paths, handler)
        }

        func `for`(_ audience: Audience) -> Endpoint {
            var endpoint = self
            endpoint.audience = audience
            return endpoint
        }
    }

    /// Every endpoint, as routes of the platform that mounts the server.
    ///
    /// - Parameter server: the server of a platform value.
    package static func routes<P: Platform>(
        of server: @escaping @Sendable (P) -> AuthorizationServer, profile: ServerProfile
    ) -> [Route<P>] {
        endpoints(profile).flatMap { endpoint in
            endpoint.paths.map { path in
                Route(endpoint.method, path) { endpoint.handler(server($0)) }.for(endpoint.audience)
            }
        }
    }

    private static func endpoints(_ profile: ServerProfile) -> [Endpoint] {
        var paths = profile.paths
        if profile.asksUsersItself { paths.authorization = [] }
        return discoveryEndpoints(paths) + clientEndpoints(paths) + browserEndpoints(paths)
            + tokenEndpoints(paths)
    }
}
