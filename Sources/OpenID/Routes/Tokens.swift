import HTTP
import PlatformKit

extension AuthorizationServer {
    /// What a client calls: tokens, introspection, revocation, user info, device authorization.
    static func tokenEndpoints(_ paths: EndpointPaths) -> [Endpoint] {
        [
            Endpoint(.post, paths.token, AuthorizationServer.giveTokens),
            Endpoint(.get, paths.userinfo, AuthorizationServer.tellAboutUser),
            Endpoint(.post, paths.userinfo, AuthorizationServer.tellAboutUser),
            Endpoint(.post, paths.introspection, AuthorizationServer.introspect).for(.backEnd),
            Endpoint(.post, paths.revocation, AuthorizationServer.revoke),
            Endpoint(.post, paths.deviceAuthorization, AuthorizationServer.authorizeDevice),
        ]
    }
}
