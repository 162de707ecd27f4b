import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit

/// An OpenID provider, as far as a relying party needs it; and the verification of signatures, which MIRACL has beside it.
///
/// Sources: OpenID Connect Core 1.0, Discovery 1.0; RFC 6749; the vendor's documentation of its back end API.
struct MIRACLProvider: Sendable {
    /// What users and tokens call it.
    let issuer: String
    /// Where this back end reaches it: the issuer, or another way to the same server.
    let base: String
    let clientID: String
    let clientSecret: String
    let web: WebCalls

    /// The part of the provider's metadata that is used.
    struct Metadata: Decodable {
        let issuer: String
        let authorizationEndpoint: String
        let tokenEndpoint: String
        let jwksURI: String

        enum CodingKeys: String, CodingKey {
            case issuer
            case authorizationEndpoint = "authorization_endpoint"
            case tokenEndpoint = "token_endpoint"
            case jwksURI = "jwks_uri"
        }
    }

    /// `GET /.well-known/openid-configuration`
    ///
    /// A provider that has one name for everybody calls itself by that, however it is reached; then its endpoints are called by the way
    /// that leads there from here.
    ///
    /// - Throws: ``MIRACLLoginError/providerConfused(_:)`` for metadata of another issuer. Source: OpenID Connect Discovery 1.0 §4.3.
    func metadata() throws -> Metadata {
        let url = base + "/.well-known/openid-configuration"
        let metadata = try decode(Metadata.self, send(.get, url), "metadata")
        guard metadata.issuer == base || metadata.issuer == issuer else {
            throw MIRACLLoginError.providerConfused(
                "The metadata at \(url) is of the issuer \(metadata.issuer), expected \(base).")
        }
        return Metadata(
            issuer: metadata.issuer,
            authorizationEndpoint: moved(metadata.authorizationEndpoint, from: metadata.issuer, to: issuer),
            tokenEndpoint: moved(metadata.tokenEndpoint, from: metadata.issuer, to: base),
            jwksURI: moved(metadata.jwksURI, from: metadata.issuer, to: base))
    }

    private func moved(_ url: String, from one: String, to other: String) -> String {
        url.hasPrefix(one + "/") ? other + url.dropFirst(one.count) : url
    }

    /// Where users sign in.
    func authorizationURL(_ metadata: Metadata, _ members: [(name: String, value: String)]) -> String {
        metadata.authorizationEndpoint + "?" + Form.encode(members)
    }

    /// The answer of the token endpoint to a code. Source: RFC 6749 §4.1.3, §2.3.1.
    func trade(_ code: String, redirectURI: String, _ metadata: Metadata) throws -> JSONValue {
        let form = Form.encode([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
        ])
        let headers: Headers = [
            "Authorization": basic, "Content-Type": "application/x-www-form-urlencoded",
        ]
        let answer = try send(.post, metadata.tokenEndpoint, headers, Array(form.utf8))
        if answer.status == .badRequest || answer.status == .unauthorized {
            throw MIRACLLoginError.codeRefused(
                "\(answer.status.code) \(String(decoding: answer.bytes.prefix(300), as: UTF8.self))")
        }
        return try decode(JSONValue.self, answer, "answer to a code")
    }

    func keys(_ metadata: Metadata) throws -> [JWK] { try keys(at: metadata.jwksURI) }

    /// `POST /dvs/verify`: the certificate of a signature, checked, or the status with which it is refused.
    func verify(_ signature: JSONValue, hash: String, timestamp: Int, at now: Date) throws -> Status {
        let body: JSONValue = [
            "signature": signature, "timestamp": .integer(timestamp), "type": "verification",
        ]
        let headers: Headers = ["Authorization": basic, "Content-Type": "application/json"]
        let answer = try send(.post, base + "/dvs/verify", headers, body.bytes)
        guard answer.status == .ok else {
            guard [400, 401, 403, 410].contains(answer.status.code) else {
                throw MIRACLLoginError.providerConfused(
                    "The verification of a signature was answered with \(answer.status.code).")
            }
            return answer.status
        }
        let jwt = try decode(Certificate.self, answer, "certificate").certificate
        try SignatureCertificate.check(
            jwt, keys: keys(at: base + "/dvs/jwks"), hash: hash, timestamp: timestamp, at: now)
        return .ok
    }

    private struct Certificate: Decodable { let certificate: String }

    private func keys(at url: String) throws -> [JWK] {
        try decode(JWKS.self, send(.get, url), "keys").keys
    }

    private var basic: String { BasicCredentials(clientID: clientID, secret: clientSecret).header }

    private func send(
        _ method: Request.Method, _ url: String, _ headers: Headers = [:], _ body: [UInt8] = []
    ) throws -> Response {
        var headers = headers
        headers["Accept"] = "application/json"
        do {
            return try web.send(method, url, headers, body)
        } catch let error as WebCallFailed {
            throw MIRACLLoginError.providerSilent("\(method.rawValue) \(url): \(error)")
        }
    }

    private func decode<Output: Decodable>(
        _: Output.Type, _ answer: Response, _ purpose: String
    ) throws -> Output {
        guard answer.status == .ok else {
            throw MIRACLLoginError.providerConfused(
                "The \(purpose) came with the status \(answer.status.code), expected 200.")
        }
        do {
            return try JSONDecoder().decode(Output.self, from: Data(answer.bytes))
        } catch let error as DecodingError {
            throw MIRACLLoginError.providerConfused("The \(purpose) cannot be read: \(error.sentence).")
        }
    }
}
