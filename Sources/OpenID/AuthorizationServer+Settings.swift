import Essentials
package import HTTP
package import PlatformKit
package import SQLite

extension AuthorizationServer {
    /// Which of a user's claims `client` hears: the platform's, with what the fixtures say of the server and of the client.
    func claimMapping(for client: Client?, in db: Connection) throws -> ClaimMapping {
        let common = try services.memo.value(profile.memo.claims) {
            let settings = try ServerSettings.setting(of: profile.name).value(in: db)
            return profile.claims.overlaid(with: settings?.claimsByScope)
        }
        return common.overlaid(with: client?.metadata.claimsByScope)
    }
}

extension AuthorizationServer {
    /// What the fixtures decided.
    package func settings() throws -> ServerSettings {
        try services.memo.value(profile.memo.settings) {
            try database.read { try ServerSettings.setting(of: profile.name).value(in: $0) }
                ?? ServerSettings()
        }
    }

    /// The same inside of a transaction.
    func settings(in db: Connection) throws -> ServerSettings {
        try services.memo.value(profile.memo.settings) {
            try ServerSettings.setting(of: profile.name).value(in: db) ?? ServerSettings()
        }
    }
}

// What the platform that mounts the server asks of it, besides the routes.

extension AuthorizationServer {
    /// What a flow that begins with this request calls us: what the fixtures or `--public-url` say, or else the mount's base URL as the
    /// client asked for it, without a slash at its end; where the fixtures have paths at the root, that with one.
    package func issuer(_ request: Request) throws -> String { Self.issuer(request, try settings()) }

    /// The same inside of a transaction.
    package func issuer(_ request: Request, in db: Connection) throws -> String {
        Self.issuer(request, try settings(in: db))
    }

    private static func issuer(_ request: Request, _ settings: ServerSettings) -> String {
        settings.issuer ?? (settings.rootPaths == nil ? request.baseURL : request.worldURL + "/")
    }

    /// What the pages stand below that browsers visit. No trailing slash.
    func pageBase(_ request: Request) throws -> String { try settings().issuer ?? request.baseURL }

    /// Where back ends call: at the host that they ask, which a browser or a phone may know by another name. Source: Keycloak,
    /// “Configuring the hostname (v2)”, backchannel endpoints.
    package func backChannel(_ request: Request) throws -> String {
        let settings = try settings()
        guard settings.fixedBackChannel != true else { return settings.issuer ?? request.baseURL }
        return request.backChannelURL
    }

    /// Whether this server, in this world, is the issuer that a token of ours names. Worlds may share keys, so that the signature
    /// does not tell them apart.
    ///
    /// A server is known under several addresses, to a browser and to a back end in a container; one under which it granted
    /// something that is in `selection`, such as to this user, is its own.
    ///
    /// - Parameter expected: ``issuer(_:)`` of the request that brings the token.
    func isOwnIssuer(
        _ issuer: String?, of selection: Grant.Selection, expected: String
    ) throws -> Bool {
        if issuer == expected { return true }
        return try database.read { db in
            try grants.all(selection, in: db).contains { $0.issuer == issuer }
        }
    }

    /// What a server says that has no answer for a reason of its own. Source: RFC 6749 §4.1.2.1, §5.2.
    package static func errorResponse(_ status: Status) -> Response {
        let code =
            switch status.code {
            case 401: "invalid_client"
            case 403: "access_denied"
            case 429, 503: "temporarily_unavailable"
            case ..<500: "invalid_request"
            default: "server_error"
            }
        return OAuthWire(status, code).response
    }

    /// Whom a request names, and whose access token it brings.
    package func callers(in request: Request) throws -> RequestNames {
        var names = RequestNames(request)
        let field = request.headers["Authorization"]
        guard let text = field?.value(ofScheme: "Bearer") ?? field?.value(ofScheme: "DPoP"),
            let token = try accessToken(text)
        else { return names }
        if let subject = token.subject { names.users.insert(subject) }
        names.clients.insert(token.clientID)
        return names
    }

    /// The answer to an error that is this server's; nil for one that is not.
    package static func response(for error: any Error) throws -> Response? {
        try (error as? any OAuthRefusal)?.response()
    }
}

extension AuthorizationServer {
    /// Which web pages of other origins may call: the endpoints that a browser is sent to, none of them; registration,
    /// only where the fixtures let them. Metadata and keys are open to every page.
    ///
    /// Source: ours.
    package func crossOriginPolicy() throws -> CrossOriginPolicy {
        try services.memo.value(profile.memo.crossOrigin) { try makeCrossOriginPolicy() }
    }

    private func makeCrossOriginPolicy() throws -> CrossOriginPolicy {
        let settings = try settings()
        let registration = profile.paths.registration.flatMap { [$0, $0 + "/*"] }
        let isOpen = settings.registrationFromPages ?? false
        var policy = CrossOriginPolicy(
            allowedOrigins: settings.allowedOrigins ?? ["*"], allowedMethods: "GET, POST, PUT, DELETE",
            exposedHeaders: ["WWW-Authenticate"] + (settings.offersDPoP ? ["DPoP-Nonce"] : []),
            exemptPaths: profile.pages + (isOpen ? [] : registration), formPaths: profile.formPaths,
            openPaths: profile.openPaths)
        for path in registration {
            policy.exemptionLines[path] =
                "\"registration_from_pages\": true in \(profile.name).oauth.settings"
        }
        return policy
    }
}
