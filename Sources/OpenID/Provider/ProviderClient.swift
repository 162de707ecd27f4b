import Crypto
package import Essentials
import HTTP
import JOSE
package import PlatformKit

/// A relying party of one OpenID Connect provider. It waits for the network: never inside of a transaction.
package struct ProviderClient {
    let settings: ProviderSettings
    let web: WebCalls

    package init(_ settings: ProviderSettings, web: WebCalls) {
        (self.settings, self.web) = (settings, web)
    }

    /// Trades the code for an ID token and reads the user from it.
    ///
    /// - Throws: ``ProviderRefusal``.
    package func user(_ login: ProviderLogin, at now: Date) throws -> ProviderUser {
        let endpoints = try endpoints()
        let url = try endpoints.url("token_endpoint")
        let answer = try tokens(login, at: url)
        guard let token = answer["id_token"]?.string else {
            throw ProviderRefusal.callFailed(url, reason: "its answer has no id_token")
        }
        return try user(of: token, keys: keys(at: endpoints.url("jwks_uri")), login, at: now)
    }

    /// Trades the code, and asks who the user is: the ID token where there is one, and what the provider tells besides.
    ///
    /// - Returns: the user with the claims of both.
    /// - Throws: ``ProviderRefusal``; ``ProviderRefusal/userUnknown(_:)`` once there are tokens.
    package func describedUser(_ login: ProviderLogin, at now: Date) throws -> ProviderUser {
        let endpoints = try endpoints()
        let answer = try tokens(login, at: endpoints.url("token_endpoint"))
        do {
            return try describedUser(answer, login, endpoints, at: now)
        } catch let refusal as ProviderRefusal {
            throw ProviderRefusal.userUnknown(refusal.explanation)
        }
    }

    private func describedUser(
        _ answer: [String: JSONValue], _ login: ProviderLogin, _ endpoints: ProviderEndpoints, at now: Date
    ) throws -> ProviderUser {
        let url = try endpoints.url("token_endpoint")
        var claims: [String: JSONValue] = [:]
        if let token = answer["id_token"]?.string {
            claims = try user(
                of: token, keys: keys(at: endpoints.url("jwks_uri")), login, at: now
            ).claims
        }
        if let place = endpoints.optional("userinfo_endpoint"), let token = answer["access_token"]?.string {
            let told = try userInfo(at: place, accessToken: token)
            // OpenID Connect Core §5.3.2: another subject is another user.
            if let subject = claims["sub"], told["sub"] != subject {
                throw ProviderRefusal.callFailed(place, reason: "it tells of another user than the ID token")
            }
            claims.merge(told) { _, told in told }
        }
        guard let user = ProviderUser(claims) else {
            throw ProviderRefusal.callFailed(url, reason: "neither ID token nor userinfo names a sub")
        }
        return user
    }

    /// Where a browser is sent to sign in. Source: OpenID Connect Core §3.1.2.1.
    ///
    /// - Throws: ``ProviderRefusal``.
    package func authorizationEndpoint() throws -> String {
        try endpoints().url("authorization_endpoint")
    }
}

// MARK: - Endpoints

/// Where the provider's endpoints are: as set, or else as its metadata say. Source: OpenID Connect Discovery §3.
private struct ProviderEndpoints {
    var set: [String: String]
    /// Nil while nobody asked for them.
    var metadata: [String: JSONValue]?
    let source: String

    func optional(_ name: String) -> String? { set[name] ?? metadata?[name]?.string }

    func url(_ name: String) throws -> String {
        guard let url = optional(name) else {
            throw ProviderRefusal.callFailed(source, reason: "it names no \(name)")
        }
        return url
    }
}

extension ProviderClient {
    private func endpoints() throws -> ProviderEndpoints {
        // OpenID Connect Discovery §4
        var base = settings.metadataBase ?? settings.issuer
        if base.hasSuffix("/") { base.removeLast() }
        var endpoints = ProviderEndpoints(
            set: [
                "authorization_endpoint": settings.authorizationEndpoint,
                "token_endpoint": settings.tokenEndpoint, "jwks_uri": settings.keysEndpoint,
                "userinfo_endpoint": settings.userInfoEndpoint,
            ].compactMapValues(\.self),
            source: base + "/.well-known/openid-configuration")
        let isWhole =
            settings.tokenEndpoint != nil
            && (settings.keysEndpoint != nil || settings.userInfoEndpoint != nil)
        if !isWhole {
            let source = endpoints.source
            endpoints.metadata = try object(
                web(source) { try web.get(source, headers: Self.accept) }, from: source)
        }
        return endpoints
    }

    private static let accept: Headers = ["Accept": "application/json"]

    private func web(_ url: String, _ call: () throws -> Response) throws -> Response {
        let response: Response
        do {
            response = try call()
        } catch let error as WebCallFailed {
            throw ProviderRefusal.callFailed(url, reason: error.description)
        }
        guard response.status == .ok else {
            let told = String(decoding: response.bytes.prefix(200), as: UTF8.self)
            throw ProviderRefusal.callFailed(url, reason: "it answered \(response.status.code) \(told)")
        }
        return response
    }

    private func object(_ response: Response, from url: String) throws -> [String: JSONValue] {
        guard let object = (try? JSONValue(parsing: response.bytes))?.object else {
            throw ProviderRefusal.callFailed(url, reason: "its answer is not a JSON object")
        }
        return object
    }
}

// MARK: - The exchange

extension ProviderClient {
    /// Source: RFC 6749 §4.1.3, RFC 7636 §4.5.
    private func tokens(_ login: ProviderLogin, at url: String) throws -> [String: JSONValue] {
        var fields: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", login.code),
            ("redirect_uri", settings.redirectURI),
        ]
        if let verifier = login.codeVerifier { fields.append(("code_verifier", verifier)) }
        var headers = Self.accept
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        switch (settings.clientAuthenticationMethod ?? "client_secret_basic", settings.clientSecret) {
        case ("client_secret_basic", let secret?):
            headers["Authorization"] =
                BasicCredentials(clientID: settings.clientID, secret: secret).header
        case ("client_secret_post", let secret?):
            fields += [("client_id", settings.clientID), ("client_secret", secret)]
        // A public client, which PKCE protects.
        case ("none", _), ("client_secret_basic", nil), ("client_secret_post", nil):
            fields.append(("client_id", settings.clientID))
        case (let method, _):
            throw ProviderRefusal.settingUnsupported(
                "it does not support clientAuthenticationMethod \(method)")
        }
        let body = Form.encode(fields)
        return try object(
            web(url) { try web.send(.post, url, headers, Array(body.utf8)) }, from: url)
    }

    private func userInfo(at url: String, accessToken: String) throws -> [String: JSONValue] {
        var headers = Self.accept
        headers["Authorization"] = "Bearer " + accessToken
        return try object(web(url) { try web.get(url, headers: headers) }, from: url)
    }

    private func keys(at url: String) throws -> [JWK] {
        let response = try web(url) { try web.get(url, headers: Self.accept) }
        do {
            return try JSONDecoder().decode(JWKS.self, from: Data(response.bytes)).keys
        } catch let error as DecodingError {
            throw ProviderRefusal.callFailed(url, reason: "its keys cannot be read: \(error.sentence)")
        }
    }
}

// MARK: - The token

extension ProviderClient {
    private static let leewaySeconds = 60

    /// Source: OpenID Connect Core §3.1.3.7.
    private func user(
        of token: String, keys: [JWK], _ login: ProviderLogin, at now: Date
    ) throws -> ProviderUser {
        let verified: JWS.Verified
        do {
            verified = try JWT.verify(token, keys: keys, at: now, leewaySeconds: Self.leewaySeconds)
        } catch let error as JOSEError {
            throw ProviderRefusal.tokenWrong(error.description)
        }
        let algorithm = settings.signatureAlgorithm ?? "RS256"
        try require(verified.header.algorithm.name, algorithm, "alg")
        guard let claims = (try? JSONValue(parsing: verified.payload))?.object else {
            throw ProviderRefusal.tokenWrong("its claims are not a JSON object")
        }
        try require(claims["iss"]?.string, settings.issuer, "iss")
        let audience = claims["aud"]?.strings ?? [claims["aud"]?.string].compactMap(\.self)
        guard audience.contains(settings.clientID) else {
            throw ProviderRefusal.tokenWrong(
                "aud is \(audience.joined(separator: ", ")), expected \(settings.clientID)")
        }
        guard claims["exp"]?.isNull == false else { throw ProviderRefusal.tokenWrong("exp is missing") }
        if let nonce = login.nonce { try require(claims["nonce"]?.string, nonce, "nonce") }
        guard let user = ProviderUser(claims) else { throw ProviderRefusal.tokenWrong("sub is missing") }
        return user
    }

    private func require(_ value: String?, _ expected: String, _ name: String) throws {
        guard value == expected else {
            throw ProviderRefusal.tokenWrong("\(name) is \(value ?? "missing"), expected \(expected)")
        }
    }
}
