import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit

/// A relying party of one OpenID Connect provider. It waits for the network: never inside of a transaction.
struct ProviderClient {
    let provider: OpenIDProvider
    let web: WebCalls

    /// Trades the code for an ID token and reads the user from it.
    ///
    /// - Returns: `sub`.
    /// - Throws: ``ProviderRefusal``.
    func user(_ login: ProviderLogin, at now: Date) throws -> String {
        let endpoints = try endpoints()
        let token = try idToken(login, at: endpoints.token)
        let keys = try keys(at: endpoints.keys)
        return try subject(of: token, keys: keys, login, at: now)
    }
}

// MARK: - Endpoints

extension ProviderClient {
    private func endpoints() throws -> (token: String, keys: String) {
        if let token = provider.tokenUri, let keys = provider.jwkSetUri { return (token, keys) }
        // OpenID Connect Discovery §4
        let base =
            provider.issuerUri.hasSuffix("/") ? String(provider.issuerUri.dropLast()) : provider.issuerUri
        let url = base + "/.well-known/openid-configuration"
        let metadata = try object(web(url) { try web.get(url, headers: Self.accept) }, from: url)
        guard let token = provider.tokenUri ?? metadata["token_endpoint"]?.string,
            let keys = provider.jwkSetUri ?? metadata["jwks_uri"]?.string
        else {
            throw ProviderRefusal.callFailed(url, reason: "it names no token_endpoint or no jwks_uri")
        }
        return (token, keys)
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
            throw ProviderRefusal.callFailed(url, reason: "its answer is no JSON object")
        }
        return object
    }
}

// MARK: - The exchange

extension ProviderClient {
    /// Source: RFC 6749 §4.1.3, RFC 7636 §4.5.
    private func idToken(_ login: ProviderLogin, at url: String) throws -> String {
        var fields: [(name: String, value: String)] = [
            ("grant_type", "authorization_code"), ("code", login.code),
            ("redirect_uri", provider.redirectUri),
        ]
        if let verifier = login.codeVerifier { fields.append(("code_verifier", verifier)) }
        var headers = Self.accept
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        switch (provider.clientAuthenticationMethod ?? "client_secret_basic", provider.clientSecret) {
        case ("client_secret_basic", let secret?):
            // RFC 6749 §2.3.1: both are form-encoded before they are joined.
            let pair = provider.clientId.percentEncoded + ":" + secret.percentEncoded
            headers["Authorization"] = "Basic " + Base64.encode(Array(pair.utf8))
        case ("client_secret_post", let secret?):
            fields += [("client_id", provider.clientId), ("client_secret", secret)]
        // A public client, which PKCE protects.
        case ("none", _), ("client_secret_basic", nil), ("client_secret_post", nil):
            fields.append(("client_id", provider.clientId))
        case (let method, _):
            throw ProviderRefusal.settingUnsupported("it knows no clientAuthenticationMethod \(method)")
        }
        let body = Form.encode(fields)
        let answer = try object(
            web(url) { try web.send(.post, url, headers, Array(body.utf8)) }, from: url)
        guard let token = answer["id_token"]?.string else {
            throw ProviderRefusal.callFailed(url, reason: "its answer has no id_token")
        }
        return token
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
    private func subject(
        of token: String, keys: [JWK], _ login: ProviderLogin, at now: Date
    ) throws -> String {
        let verified: JWS.Verified
        do {
            verified = try JWT.verify(token, keys: keys, at: now, leewaySeconds: Self.leewaySeconds)
        } catch let error as JOSEError {
            throw ProviderRefusal.tokenWrong(error.description)
        }
        let algorithm = provider.signatureAlgorithm ?? "RS256"
        try require(verified.header.algorithm.name, algorithm, "alg")
        guard let claims = (try? JSONValue(parsing: verified.payload))?.object else {
            throw ProviderRefusal.tokenWrong("its claims are no JSON object")
        }
        try require(claims["iss"]?.string, provider.issuerUri, "iss")
        let audience = claims["aud"]?.strings ?? [claims["aud"]?.string].compactMap(\.self)
        guard audience.contains(provider.clientId) else {
            throw ProviderRefusal.tokenWrong(
                "aud is \(audience.joined(separator: ", ")), expected \(provider.clientId)")
        }
        guard claims["exp"]?.isNull == false else { throw ProviderRefusal.tokenWrong("exp is missing") }
        try require(claims["nonce"]?.string, login.nonce, "nonce")
        guard let subject = claims["sub"]?.string, !subject.isEmpty else {
            throw ProviderRefusal.tokenWrong("sub is missing")
        }
        return subject
    }

    private func require(_ value: String?, _ expected: String, _ name: String) throws {
        guard value == expected else {
            throw ProviderRefusal.tokenWrong("\(name) is \(value ?? "missing"), expected \(expected)")
        }
    }
}
