import Crypto
import JOSE
import Testing

/// One change to a valid token, or one wrong key, each.
struct RefusalTests {
    private let secret = JWK(.secret([UInt8](repeating: 7, count: 64)), keyID: "s")

    private func token(header: String, payload: String = "{}") throws -> String {
        let input = base64url(header) + "." + base64url(payload)
        guard case .secret(let secret) = secret.material else { return "" }
        return input + "."
            + Base64URL.encode(Digest.sha256.authenticationCode(of: Array(input.utf8), key: secret))
    }

    private func refusal(_ token: String, keys: [JWK]? = nil) -> JOSEError? {
        #expect(throws: JOSEError.self) { try JWS.verify(token, keys: keys ?? [secret]) }
    }

    @Test(arguments: [
        ("", "the token is malformed: 1 parts between dots instead of 3"),
        ("a.b", "the token is malformed: 2 parts between dots instead of 3"),
        ("a.b.c.d", "the token is malformed: 4 parts between dots instead of 3"),
        ("e30=.e30.AA", "the header is malformed: not base64url without padding"),
        ("e30.e30=.AA", "the payload is malformed: not base64url without padding"),
        ("e30.e30.A", "the signature is malformed: not base64url without padding"),
        ("e30.e30.AA", "the header is malformed: “alg” is missing"),
        ("W10.e30.AA", "the header is malformed: not the JSON object it should be"),
        ("AA.e30.AA", "the header is malformed: not the JSON object it should be"),
    ])
    func `a malformed token says which part and why`(token: String, message: String) {
        #expect(refusal(token)?.description == message)
    }

    @Test(arguments: ["none", "None", "", "HS1", "RS257", "A128KW"])
    func `an algorithm that is not on the list is not accepted`(name: String) throws {
        let token = try token(header: #"{"alg":"\#(name)","kid":"s"}"#)

        #expect(refusal(token) == .algorithmUnsupported(name))
    }

    @Test func `an unsigned token is refused with its empty signature too`() throws {
        let token = base64url(#"{"alg":"none"}"#) + "." + base64url("{}") + "."

        #expect(refusal(token) == .algorithmUnsupported("none"))
    }

    @Test func `an extension that must be understood is refused`() throws {
        let token = try token(header: #"{"alg":"HS256","kid":"s","crit":["b64"],"b64":false}"#)

        #expect(refusal(token) == .extensionsUnsupported(["b64"]))
    }

    @Test func `an unknown key is refused with the keys that are known`() throws {
        let token = try token(header: #"{"alg":"HS256","kid":"t"}"#)

        let message = "no key has the id “t”; known: secret of 64 bytes “s”"
        #expect(refusal(token)?.description == message)
    }

    @Test func `a public key is no HMAC secret`() throws {
        let key = JWK(.publicKey(try PrivateKey.generate(.ec(.p256)).publicKey), keyID: "s")
        let token = try token(header: #"{"alg":"HS256","kid":"s"}"#)

        #expect(refusal(token, keys: [key]) == .algorithmNotAllowed("HS256", key: "P-256 key “s”"))
    }

    @Test func `a key is used for its own algorithm only, and not when it encrypts`() throws {
        let token = try token(header: #"{"alg":"HS256","kid":"s"}"#)
        let others = [
            JWK(secret.material, keyID: "s", algorithm: "HS512"),
            JWK(secret.material, keyID: "s", use: "enc"),
        ]

        let refusals = others.map { refusal(token, keys: [$0]) }
        #expect(
            refusals == [
                .algorithmNotAllowed("HS256", key: "secret of 64 bytes “s” for HS512"),
                .algorithmNotAllowed("HS256", key: "secret of 64 bytes “s” for encryption"),
            ])
        #expect(try JWS.verify(token, keys: [secret]).payload == Array("{}".utf8))
    }

    @Test func `a secret shorter than the hash neither signs nor verifies`() throws {
        let short = KeyMaterial.secret([UInt8](repeating: 7, count: 31))
        let token = try token(header: #"{"alg":"HS256","kid":"s"}"#)

        #expect(throws: JOSEError.algorithmNotAllowed("HS256", key: "secret of 31 bytes")) {
            try JWS.sign([], header: JWSHeader(.hs256), key: short)
        }
        #expect(
            refusal(token, keys: [JWK(short, keyID: "s")])
                == .algorithmNotAllowed("HS256", key: "secret of 31 bytes “s”"))
    }

    @Test func `a public key does not sign`() throws {
        let key = KeyMaterial.publicKey(try PrivateKey.generate(.ec(.p256)).publicKey)

        #expect(throws: JOSEError.keyCannotSign("P-256 key")) {
            try JWS.sign([], header: JWSHeader(.es256), key: key)
        }
    }

    @Test func `a token that names no key is tried with those that suit it`() throws {
        let (first, second) = (try PrivateKey.generate(.ec(.p256)), try PrivateKey.generate(.ec(.p256)))
        let token = try JWS.sign([1], header: JWSHeader(.es256), key: .privateKey(second))
        let (one, two) = (JWK(.publicKey(first.publicKey)), JWK(.publicKey(second.publicKey)))

        #expect(try JWS.verify(token, keys: [secret, one, two]).payload == [1])
        #expect(refusal(token, keys: [one]) == .signatureWrong(keyID: nil))
        #expect(refusal(token) == .keyUnknown(keyID: nil, known: ["secret of 64 bytes “s”"]))
    }
}
