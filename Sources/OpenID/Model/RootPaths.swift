import Essentials
import HTTP

/// Another product whose clients know its paths, and ask for them at the root of a host.
package enum RootPaths: String, Codable, Sendable, CaseIterable {
    /// Source: Auth0, “Authentication API”.
    case auth0

    /// What the metadata say of them, below the root of the world. Its issuer ends in a slash.
    fileprivate var endpoints: [String: String] {
        [
            "authorization_endpoint": "/authorize", "token_endpoint": "/oauth/token",
            "userinfo_endpoint": "/userinfo", "jwks_uri": "/.well-known/jwks.json",
            "revocation_endpoint": "/oauth/revoke", "end_session_endpoint": "/oidc/logout",
            "registration_endpoint": "/oidc/register",
        ]
    }
}

extension ServerProfile {
    /// What the paths of ``RootPaths`` stand for below the base path `home`, such as `/oauth`.
    package func rootAliases(below home: String) -> [String: String] {
        let known: [String: [String]] = [
            "/authorize": paths.authorization, "/userinfo": paths.userinfo, "/oidc/logout": paths.logout,
            "/.well-known/jwks.json": paths.keys, "/oidc/register": paths.registration,
            "/v2/logout": paths.returningLogout,
        ]
        var aliases = known.compactMapValues { paths in paths.first.map { home + $0 } }
        for path in Self.documentPaths { aliases[path] = home + path }
        return aliases
    }
}

extension AuthorizationServer {
    package func answersRootPaths() throws -> Bool { try settings().rootPaths != nil }

    /// Endpoints of the metadata at the root of the world, for visitors and for back ends.
    func rootMembers(_ request: Request) throws -> [String: JSONValue] {
        guard let paths = try settings().rootPaths else { return [:] }
        let visited: Set = ["authorization_endpoint", "end_session_endpoint"]
        let back = request.context.fixesBackChannel ? request.worldURL : Self.root(of: request)
        return Dictionary(
            uniqueKeysWithValues: paths.endpoints.map { name, path in
                (name, .string((visited.contains(name) ? request.worldURL : back) + path))
            })
    }

    /// The world at the host that was asked.
    private static func root(of request: Request) -> String {
        guard let end = request.worldURL.firstRange(of: "://")?.upperBound else { return request.worldURL }
        return request.askedOrigin + request.worldURL[end...].drop { $0 != "/" }
    }

    /// `GET /v2/logout`: ends the browser's session without a question and goes to `returnTo`.
    ///
    /// - Request: query `client_id`, `returnTo`.
    /// - Response: `303` to it, or `200`, HTML.
    /// - Errors: 404 unless the settings say `root_paths`; a page with `400`; then nobody is logged out.
    /// - Source: Auth0, “Authentication API”, log out.
    func logOutReturning(_ request: Request) throws -> Response {
        guard try answersRootPaths() else {
            throw RouteUnknown(method: request.method, path: request.path)
        }
        var request = request
        let pairs = request.queryItems.pairs.map { pair in
            (name: pair.name == "returnTo" ? "post_logout_redirect_uri" : pair.name, value: pair.value)
        }
        request.query = Form.encode(pairs)
        return try logOut(request, asksNobody: true)
    }
}
