package import Essentials

/// What a platform decides about the authorization server that it mounts; one value for all worlds and requests.
package final class ServerProfile: Sendable {
    /// Name of the platform: whose signing keys are used, and which rows of the tables are this server's.
    package let name: String
    /// What the pages call it.
    package let title: String
    package let paths: EndpointPaths
    /// Where browsers are sent to.
    let pages: [String]
    /// Those of them to which pages of clients may send their visitors by a form as well.
    let formPaths: [String]
    /// What every web page may read.
    let openPaths: [String]
    /// Names of what is kept of a world's settings.
    let memo: MemoNames
    /// Whether requests without a scope are refused when the client has no default. Otherwise they get no scope at all.
    package let demandsScope: Bool
    /// Whether scopes that a client may not ask for are left out of what it asks for. Otherwise they are refused. Source: OpenID
    /// Connect Core 1.0 §3.1.2.1, which recommends the former for scopes that a server does not understand.
    let ignoresUnknownScopes: Bool
    /// Names of authorization parameters of the platform's own begin so; what comes behind it is kept with the grant.
    package let ownParameterPrefix: String?
    /// Whether the platform finds out by itself who the user is: then the authorization endpoint is named in the metadata and routed
    /// by the platform, with ``AuthorizationServer/readAuthorization(_:at:)``.
    package let asksUsersItself: Bool
    /// Which clients may send their secret in the header field or in the form as they like.
    let secretPlaces: SecretPlaces
    /// Whether clients choose the audience of access tokens with the parameter `resource` (RFC 8707). Otherwise it is nobody's business.
    let knowsResources: Bool
    /// Members of the metadata that are not as this server would have them; null leaves one out.
    let metadata: [String: JSONValue]
    /// Which claims of a user are told where, as long as the fixtures do not say.
    let claims: ClaimMapping

    /// Made once: a request looks up several.
    struct MemoNames: Sendable {
        let settings: String
        /// What other origins may call; forgotten with the settings.
        let crossOrigin: String
        let claims: String
        let metadata: String
        let keySet: String
        let publishedKeys: String
        let dpopSecret: String
        private let signing: String

        init(_ prefix: String) {
            settings = prefix + ".settings"
            crossOrigin = settings + ".cross_origin"
            claims = prefix + ".claims"
            metadata = prefix + ".metadata"
            keySet = prefix + ".jwks"
            publishedKeys = prefix + ".published"
            dpopSecret = prefix + ".dpop"
            signing = prefix + ".signing."
        }

        func signingKey(_ algorithm: String) -> String { signing + algorithm }
    }

    package enum SecretPlaces: Sendable {
        /// None: how each client is registered, the header field where nothing was said.
        case asRegistered
        /// Those that are registered without a word about it.
        case eitherUnlessRegistered
        /// All of them.
        case either
    }

    static let documentPaths = [
        "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
    ]

    package init(
        name: String, title: String, paths: EndpointPaths, demandsScope: Bool = true,
        ignoresUnknownScopes: Bool = false, ownParameterPrefix: String? = nil, asksUsersItself: Bool = false,
        secretPlaces: SecretPlaces = .asRegistered, knowsResources: Bool = true,
        metadata: [String: JSONValue] = [:], claims: ClaimMapping = .standard(in: [.userinfo])
    ) {
        self.name = name
        self.title = title
        self.paths = paths
        self.demandsScope = demandsScope
        self.ignoresUnknownScopes = ignoresUnknownScopes
        self.ownParameterPrefix = ownParameterPrefix
        self.asksUsersItself = asksUsersItself
        (self.secretPlaces, self.knowsResources) = (secretPlaces, knowsResources)
        (self.metadata, self.claims) = (metadata, claims)
        openPaths = Self.documentPaths + paths.keys
        memo = MemoNames(name + ".openid")
        // OpenID Connect Core 1.0 §3.1.2.1; RP-Initiated Logout 1.0 §2.
        formPaths = paths.authorization + paths.logout
        pages =
            paths.authorization + paths.login + paths.consent + paths.logout + paths.returningLogout
            + paths.checkSession
            + paths.deviceVerification
    }
}

/// Where the endpoints live under the mount. The first path of each is the one that the metadata names; the others answer as well.
package struct EndpointPaths: Sendable {
    package var authorization = ["/authorize"]
    package var token = ["/token"]
    package var keys = ["/jwks"]
    package var userinfo = ["/userinfo"]
    package var introspection = ["/introspect"]
    package var revocation = ["/revoke"]
    package var deviceAuthorization = ["/device_authorization"]
    /// The page where a user types the code that a device shows.
    package var deviceVerification = ["/device_authorization/verification"]
    package var pushedRequest = ["/par"]
    /// The client's own place is one segment below.
    package var registration = ["/register"]
    package var logout = ["/logout"]
    /// Where a browser logs out that comes back by `returnTo`: for ``RootPaths``.
    package var returningLogout: [String] = []
    package var checkSession = ["/checksession"]
    /// Target of the login form; the pages of the server itself.
    package var login = ["/login"]
    package var consent = ["/consent"]

    package init() {}
}
