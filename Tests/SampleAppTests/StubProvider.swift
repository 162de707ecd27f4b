import Crypto
import Essentials
import HTTP
import HTTPServer
import JOSE
import Sockets
import Synchronization
import TestKit

/// An OpenID provider that answers what the test says, on a real socket, with tokens that a relying party can verify.
final class StubProvider: Sendable, Responder {
    struct Script {
        /// Members of the next ID token that are not as they should be; null leaves one out.
        var claims: [String: JSONValue] = [:]
        var tokenStatus = Status.ok
        /// Whether the signature of the ID token is right.
        var isSignatureRight = true
        var certificate: [String: JSONValue] = [:]
        var verifyStatus = Status.ok
        var issuer: String?
        var requests: [Request] = []
    }

    static let user = "ada@example.org"
    static let clientID = "shop client"

    private let script = Mutex(Script())
    private let place = Mutex("")
    private let key: PrivateKey
    private let now: @Sendable () -> Date

    init(now: @escaping @Sendable () -> Date) throws {
        key = try PrivateKey(pem: TestKeys.rsa)
        self.now = now
    }

    /// Starts it for as long as `body` runs, and hands over its issuer.
    func run(_ body: (String) throws -> Void) throws {
        let server = HTTPServer(limits: Limits(), responder: self)
        defer { server.stop(grace: 1) }
        for case .tcp(_, let port) in try server.start(on: [.tcp(host: "127.0.0.1", port: 0)]) {
            let issuer = "http://127.0.0.1:\(port)/miracl"
            place.withLock { $0 = issuer }
            try body(issuer)
        }
    }

    var requests: [Request] { script.withLock { $0.requests } }

    func change(_ body: (inout Script) -> Void) { script.withLock { body(&$0) } }

    func respond(to request: Request) -> Response {
        let (issuer, script) = (
            place.withLock { $0 },
            self.script.withLock { script in
                script.requests.append(request)
                return script
            }
        )
        do {
            return try answer(request, issuer, script)
        } catch {
            return .text("\(error)", status: .internalServerError)
        }
    }

    private func answer(_ request: Request, _ issuer: String, _ script: Script) throws -> Response {
        switch request.path {
        case "/miracl/.well-known/openid-configuration":
            try .json([
                "issuer": script.issuer ?? issuer, "authorization_endpoint": issuer + "/authorize",
                "token_endpoint": issuer + "/oidc/token", "jwks_uri": issuer + "/oidc/certs",
            ])
        case "/miracl/oidc/token": try token(issuer, script)
        case "/miracl/oidc/certs", "/miracl/dvs/jwks":
            try .json(JWKS([JWK(.publicKey(key.publicKey), keyID: "s1", algorithm: "RS256", use: "sig")]))
        case "/miracl/dvs/verify": try certificate(script)
        default: .text("nothing", status: .notFound)
        }
    }

    private func token(_ issuer: String, _ script: Script) throws -> Response {
        guard script.tokenStatus == .ok else {
            return try .json(["error": "invalid_grant"], status: script.tokenStatus)
        }
        let seconds = Int(now().timeIntervalSince1970)
        var token = try sign(
            [
                "iss": .string(issuer), "sub": .string(Self.user), "aud": .string(Self.clientID),
                "iat": .integer(seconds), "exp": .integer(seconds + 900),
            ].merging(script.claims) { $1 })
        if !script.isSignatureRight { token = String(token.dropLast(8)) + "AAAAAAAA" }
        return try .json(["access_token": "at", "token_type": "Bearer", "id_token": token])
    }

    private func certificate(_ script: Script) throws -> Response {
        guard script.verifyStatus == .ok else { return .text("no", status: script.verifyStatus) }
        let seconds = Int(now().timeIntervalSince1970)
        return try .json([
            "certificate": try sign(
                ["cAt": .integer(seconds), "exp": .integer(seconds + 10)].merging(script.certificate) { $1 })
        ])
    }

    private func sign(_ claims: [String: JSONValue]) throws -> String {
        try JWT.sign(
            JSONValue.object(claims.filter { !$0.value.isNull }), header: JWSHeader(.rs256, keyID: "s1"),
            key: .privateKey(key))
    }

    func bodyLimit(_: Request.Method, _: String) -> Int? { nil }
}
