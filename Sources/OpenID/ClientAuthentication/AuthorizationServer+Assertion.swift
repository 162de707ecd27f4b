import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite

extension AuthorizationServer {
    /// The algorithms by which clients may sign. Source: Token Server documentation.
    package static let assertionAlgorithms = [
        "RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512",
    ]

    /// Tolerated between the clocks of the client and of this world, in seconds.
    private static let skewSeconds = 60

    /// Source: RFC 7523 §3; OpenID Connect Core 1.0 §9.
    ///
    /// - Parameter form: of the request.
    func client(
        provedBy jwt: String, clientID: String?, _ scheme: String?, _ request: Request, _ form: Form
    ) throws -> Client {
        var name = clientID
        do {
            let assertion = try ClientAssertion(unverified: jwt)
            let issuer = try assertion.issuer(clientID: clientID)
            name = issuer
            let client = try knownClient([issuer], using: .privateKeyJWT, scheme)
            let settings = try settings()
            try assertion.checkAlgorithm(client, among: settings.assertionAlgorithms)
            let claims = try verified(jwt, by: keys(of: client))
            let isStrict = settings.isStrictAboutAudience
            let id = try claims.check(
                at: now, audiences: isStrict ? [try self.issuer(request)] : try audiences(request),
                isStrict: isStrict)
            if let id {
                try spend(id, until: claims.expiry + Double(Self.skewSeconds), by: client.id)
            } else if try isOpenIDFlow(form, of: client) {
                throw AssertionFault.identifierMissing
            }
            return client
        } catch let fault as AssertionFault {
            throw ClientRefusal.assertion(fault, clientID: name, scheme: scheme)
        }
    }

    private func verified(_ jwt: String, by keys: [JWK]) throws -> ClientAssertion.Claims {
        do {
            return try JWT.verify(jwt, keys: keys, at: now, leewaySeconds: Self.skewSeconds)
                .decode(ClientAssertion.Claims.self)
        } catch let error as JOSEError {
            throw AssertionFault.notVerified(error.description)
        }
    }

    /// What an assertion may be meant for: the issuer, the mount, and every endpoint where clients prove themselves; by the address in
    /// the metadata and by the one that was called.
    ///
    /// Source: RFC 7523 §3; RFC 9126 §2.
    private func audiences(_ request: Request) throws -> [String] {
        let paths = profile.paths
        let endpoints = [
            paths.token, paths.pushedRequest, paths.introspection, paths.revocation,
            paths.deviceAuthorization,
        ].joined()
        let bases = [try issuer(request), request.baseURL, try backChannel(request)]
        return ScopeList(bases + bases.flatMap { base in endpoints.map { base + $0 } }).names
    }

    /// Whether the request is part of an OpenID Connect flow, where an assertion must be good for one use; elsewhere that is the
    /// client's choice. Source: OpenID Connect Core 1.0 §9; Token Server documentation, “Client authentication methods”.
    private func isOpenIDFlow(_ form: Form, of client: Client) throws -> Bool {
        try database.read { db in
            let digest = { (name: String) in Handle.digest(form[name] ?? "") }
            let scope: ScopeList? =
                switch form["grant_type"] {
                case GrantType.authorizationCode:
                    try codes.find(digest("code"), in: db).flatMap {
                        try grants.find($0.grantID, in: db)?.scope
                    }
                case GrantType.refreshToken: try refreshTokens.find(digest("refresh_token"), in: db)?.scope
                case GrantType.deviceCode: try deviceRequests.find(digest("device_code"), in: db)?.scope
                case GrantType.clientCredentials, GrantType.tokenExchange: nil
                // The user's password, a pushed request, the start of a device's flow; not introspection and revocation.
                default:
                    form["token"] == nil ? form["scope"].map { ScopeList($0) } ?? client.defaultScopes : nil
                }
            return scope?.contains(ScopeList.openID) ?? false
        }
    }

    /// Remembers an assertion, so that it is good for one request.
    private func spend(_ id: String, until expiry: Date, by clientID: String) throws {
        let used = UsedAssertion(clientID: clientID, id: id, expiresAt: expiry)
        let isNew = try world.change { turn in try assertions.spend(used, at: turn.now, in: turn.db) }
        guard isNew else { throw AssertionFault.replayed(id) }
    }
}

extension AuthorizationServer {
    /// The public keys of a client, from its metadata or fetched anew from where they say: keys that are rotated are seen at once.
    ///
    /// Never called inside a transaction: it may wait for another server, five seconds and a mebibyte at most.
    ///
    /// - Throws: ``AssertionFault``.
    func keys(of client: Client) throws -> [JWK] {
        if let jwks = client.metadata.jwks { return try Self.keys(in: jwks) }
        guard let url = client.metadata.jwksURI else { throw AssertionFault.keysMissing }
        return try Self.keys(in: fetched(url))
    }

    private func fetched(_ url: String) throws -> JSONValue {
        do {
            let response = try services.web.get(url, headers: ["Accept": "application/json"])
            guard response.status == .ok else {
                throw AssertionFault.keysUnreachable(url: url, "the answer is \(response.status.code)")
            }
            return try JSONValue(parsing: response.bytes)
        } catch let error as WebCallFailed {
            throw AssertionFault.keysUnreachable(url: url, error.description)
        } catch is DecodingError {
            throw AssertionFault.keysUnreachable(url: url, "the answer is not JSON")
        }
    }

    /// Those of the set that can be used here: unknown kinds of keys are no fault of the others. Source: RFC 7517 §5.
    static func keys(in jwks: JSONValue) throws -> [JWK] {
        guard let entries = jwks["keys"]?.array else {
            throw AssertionFault.keysUnreadable("expected an object with the member keys")
        }
        guard entries.count <= 100 else { throw AssertionFault.keysUnreadable("there are more than 100") }
        var fault: String?
        let keys: [JWK] = entries.compactMap { entry in
            do {
                return try JSONDecoder().decode(JWK.self, from: Data(entry.bytes)).publicHalf
            } catch {
                fault = (error as? DecodingError)?.sentence ?? "\(error)"
                return nil
            }
        }
        guard !keys.isEmpty else {
            throw AssertionFault.keysUnreadable(fault ?? "the set is empty")
        }
        return keys
    }
}
