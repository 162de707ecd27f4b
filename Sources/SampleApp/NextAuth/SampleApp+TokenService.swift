import Essentials
import HTTP
import OpenID
import PlatformKit

extension SampleApp {
    /// `grant_type` of a token request with a web nonce. Ours: the vendor leaves the token service to the integrator.
    static let webNonceGrant = "urn:understudy:webnonce"

    /// The token service: an authorization server whose only grant is a web nonce.
    static let tokenService: ServerProfile = {
        var paths = EndpointPaths()
        paths.token = ["/nextauth/token"]
        paths.keys = ["/nextauth/jwks"]
        (paths.authorization, paths.userinfo, paths.introspection, paths.revocation) = ([], [], [], [])
        (paths.deviceAuthorization, paths.deviceVerification, paths.pushedRequest) = ([], [], [])
        (paths.registration, paths.logout, paths.checkSession) = ([], [], [])
        (paths.login, paths.consent) = ([], [])
        return ServerProfile(
            name: name, title: title, paths: paths, demandsScope: false, asksUsersItself: true,
            metadata: [
                "grant_types_supported": [.string(webNonceGrant)], "response_types_supported": [],
                "response_modes_supported": .null, "claims_supported": .null,
                "token_endpoint_auth_methods_supported": ["none"],
            ])
    }()

    /// The app that trades its web nonces. It has no secret: whoever has the nonce is logged in.
    func tokenClient(_ settings: NextAuthSettings) -> Client {
        var metadata = ClientMetadata()
        metadata.clientName = "nextAuth sample"
        metadata.grantTypes = [Self.webNonceGrant]
        metadata.accessTokenFormat = .jwt
        metadata.accessTokenLifetime = settings.tokenSeconds
        return Client(
            id: "nextauth-app", secret: nil, kind: "mobile", metadata: metadata,
            createdAt: services.clock.now())
    }

    func nextAuth(_ settings: NextAuthSettings, _ request: Request) -> NextAuthServer {
        NextAuthServer(
            baseURL: settings.server ?? request.ownURL + "/nextauth", serverID: settings.serverID,
            apiKey: settings.apiKey, web: services.web)
    }
}
