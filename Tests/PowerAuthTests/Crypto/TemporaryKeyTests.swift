import Crypto
import Essentials
import JOSE
import PowerAuth
import Testing

struct TemporaryKeyTests {
    let example = Example.whole["keystoreRequest"]

    @Test func `the worked example's requests are read, and authentic in their scope alone`() throws {
        let (secret, transport) = (try Example.applicationSecret(), try Example.derivedKeys().transport)
        let claims = try JSONValue(parsing: Array(example.text("claims").utf8))
        let activation = try TemporaryKeyRequest(unverified: example.text("jwtActivationScope"))
        let application = try TemporaryKeyRequest(unverified: example.text("jwtApplicationScope"))

        #expect(try transport.derived(from: secret.decoded).bytes == example.hex("hmacKeyActivationScope"))
        #expect(try secret.decoded == example.hex("hmacKeyApplicationScope"))
        for request in [activation, application] {
            #expect(request.applicationKey.text == claims["applicationKey"]?.string)
            #expect(request.challenge == claims["challenge"]?.string)
        }
        #expect(activation.activationID == claims["activationId"]?.string)
        #expect(application.activationID == nil)
        #expect([activation.scope, application.scope] == [.activation, .application])
        #expect(activation.isAuthentic(secret: secret, transport: transport))
        #expect(application.isAuthentic(secret: secret, transport: nil))
        #expect(!activation.isAuthentic(secret: secret, transport: nil))
        #expect(!application.isAuthentic(secret: secret, transport: transport))
        #expect(!activation.isAuthentic(secret: secret, transport: try transport.derived(1)))
        let other = try ApplicationSecret("AAAAAAAAAAAAAAAAAAAAAA==")
        #expect(!activation.isAuthentic(secret: other, transport: transport))
        #expect(!application.isAuthentic(secret: other, transport: nil))
    }

    @Test func `a changed claim or signature is not authentic`() throws {
        let secret = try Example.applicationSecret()
        let parts = try example.text("jwtApplicationScope").split(separator: ".").map(String.init)
        let challenge = "{\"applicationKey\":\"QdREmFjzlTypmQHcUt8GWA==\",\"challenge\":\"x\"}"
        let tokens = [
            [parts[0], Base64URL.encode(Array(challenge.utf8)), parts[2]],
            [parts[0], parts[1], Base64URL.encode([UInt8](repeating: 0, count: 32))],
            [parts[0], parts[1], ""],
            [Base64URL.encode(Array("{\"alg\":\"HS256\"}".utf8)), parts[1], parts[2]],
        ]

        for token in tokens {
            let request = try TemporaryKeyRequest(unverified: token.joined(separator: "."))
            #expect(!request.isAuthentic(secret: secret, transport: nil))
        }
    }

    @Test(arguments: [
        #"{"alg":"none"}"#, #"{"alg":"HS512"}"#, #"{"alg":"ES256"}"#, "{}", "[]", "{",
    ])
    func `a token of another algorithm is refused`(_ header: String) throws {
        let parts = try example.text("jwtApplicationScope").split(separator: ".").map(String.init)
        let token = [Base64URL.encode(Array(header.utf8)), parts[1], parts[2]].joined(separator: ".")

        #expect(throws: ProtocolFault.self) { try TemporaryKeyRequest(unverified: token) }
    }

    @Test(arguments: [
        "{}", #"{"applicationKey":"QdREmFjzlTypmQHcUt8GWA=="}"#, #"{"challenge":"x"}"#,
        #"{"applicationKey":"x","challenge":"x"}"#, #"{"applicationKey":1,"challenge":"x"}"#,
        #"{"applicationKey":"QdREmFjzlTypmQHcUt8GWA==","challenge":"x","activationId":1}"#, "[]", "",
    ])
    func `claims that are missing or malformed are refused`(_ claims: String) throws {
        let header = Base64URL.encode(Array(#"{"alg":"HS256","typ":"JWT"}"#.utf8))
        let token = header + "." + Base64URL.encode(Array(claims.utf8)) + ".AAAA"

        #expect(throws: ProtocolFault.self) { try TemporaryKeyRequest(unverified: token) }
    }

    @Test(arguments: ["", ".", "..", "a.b", "a.b.c.d", "?.?.?"])
    func `what is no token is refused`(_ token: String) {
        #expect(throws: ProtocolFault.self) { try TemporaryKeyRequest(unverified: token) }
    }

    @Test(arguments: ["jwtActivationScope", "jwtApplicationScope"])
    func `the answer has the claims that the SDK compares, and a raw signature of 64 bytes`(_ name: String)
        throws
    {
        let request = try TemporaryKeyRequest(unverified: example.text(name))
        let (key, temporary) = (
            try Example.privateKey("server"), try Example.privateKey("temporary").publicKey
        )
        let grant = TemporaryKeyGrant(
            id: "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0", publicKey: temporary, issued: 1_718_000_000_999,
            expires: 1_718_000_300_999)
        let token = try JWS.sign(
            grant.claims(answering: request), header: TemporaryKeyGrant.header, key: .privateKey(key))

        let verified = try JWS.verify(token, keys: [JWK(.publicKey(key.publicKey))])
        #expect(verified.header == JWSHeader(.es256, type: "JWT"))
        var expected: [String: JSONValue] = [
            "sub": "0f1e2d3c-4b5a-4968-8776-a5b4c3d2e1f0",
            "applicationKey": .string(request.applicationKey.text),
            "challenge": .string(request.challenge), "iat": 1_718_000_000, "iat_ms": 1_718_000_000_999,
            "exp": 1_718_000_300, "exp_ms": 1_718_000_300_999,
        ]
        expected["activationId"] = request.activationID.map(JSONValue.string)
        let point = try Example.whole["keys"]["temporary"].hex("publicUncompressed")
        expected["publicKey"] = .string(Base64.encode(point))
        #expect(try JSONValue(parsing: verified.payload) == .object(expected))
        #expect(Base64URL.decode(token.split(separator: ".")[2])?.count == 64)
    }
}
