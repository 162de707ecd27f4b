import HTTP
import PlatformKit

extension AuthorizationServer {
    /// What a browser is sent to: authorization, login, consent, user codes, logout.
    static func browserEndpoints(_ paths: EndpointPaths) -> [Endpoint] {
        [
            Endpoint(.get, paths.authorization, AuthorizationServer.authorize),
            Endpoint(.post, paths.authorization, AuthorizationServer.authorize),
            Endpoint(.get, paths.login, AuthorizationServer.showLogin),
            Endpoint(.post, paths.login, AuthorizationServer.submitLogin),
            Endpoint(.get, paths.consent, AuthorizationServer.showConsent),
            Endpoint(.post, paths.consent, AuthorizationServer.submitConsent),
            Endpoint(.get, paths.deviceVerification, AuthorizationServer.showDeviceVerification),
            Endpoint(.post, paths.deviceVerification, AuthorizationServer.submitDeviceVerification),
            Endpoint(.get, paths.logout, AuthorizationServer.logOut),
            Endpoint(.post, paths.logout, AuthorizationServer.logOut),
            Endpoint(.get, paths.returningLogout, AuthorizationServer.logOutReturning),
            Endpoint(.get, paths.checkSession, AuthorizationServer.checkSession),
        ].map { $0.for(.browser) }
    }
}
