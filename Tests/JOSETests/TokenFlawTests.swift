import Crypto
import Essentials
import JOSE
import Testing

struct TokenFlawTests {
    private static let now = 1_700_000_000
    private static let claims: JSONValue = [
        "iss": "http://localhost/oauth", "aud": "my-app", "sub": "ada", "iat": 1_700_000_000,
        "exp": 1_700_000_300,
    ]

    private let key: PrivateKey
    private let published: [JWK]
    private let date = Date(timeIntervalSince1970: Double(now))

    init() throws {
        key = try PrivateKey.generate(.ec(.p256))
        published = [JWK(.publicKey(key.publicKey), keyID: "k", algorithm: "ES256", use: "sig")]
    }

    private func token(_ flaw: TokenFlaw, type: String = "JWT", _ claims: JSONValue = claims) throws -> String
    {
        try flaw.sign(
            claims.bytes, header: JWSHeader(.es256, keyID: "k", type: type), key: key, at: Self.now)
    }

    private func part(_ index: Int, of token: String) throws -> JSONValue {
        let parts = token.split(separator: ".", omittingEmptySubsequences: false)
        return try JSONValue(parsing: #require(Base64URL.decode(parts[index])))
    }

    @Test(arguments: [
        (TokenFlaw.expired, JOSEError.expired(secondsAgo: 3600)), (.notYetValid, .notYetValid(seconds: 3600)),
        (.wrongKey, .signatureWrong(keyID: "k")), (.damagedSignature, .signatureWrong(keyID: "k")),
        (.unsigned, .algorithmUnsupported("none")),
    ])
    func `a wrong token is refused for the reason that its flaw names`(_ flaw: TokenFlaw, _ reason: JOSEError)
        throws
    {
        let token = try token(flaw)

        #expect(throws: reason) { try JWT.verify(token, keys: published, at: date) }
    }

    @Test func `a token with an unknown kid is signed by the right key`() throws {
        let token = try token(.unknownKeyID)

        let named = try #require(try part(0, of: token)["kid"]?.string)
        #expect(named != "k")
        #expect(throws: JOSEError.self) { try JWT.verify(token, keys: published, at: date) }
        let renamed = JWK(.publicKey(key.publicKey), keyID: named, algorithm: "ES256")
        #expect(try JWT.verify(token, keys: [renamed], at: date).payload == Self.claims.bytes)
    }

    // RFC 8725 §2.1: who takes alg from the token and the secret from the key set lets it pass.
    @Test func `a token by HS256 verifies under the public key's PEM, and by no key of the set`() throws {
        let token = try token(.publicKeyAsSecret)

        let secret = JWK(.secret(Array(try key.publicKey.pem().utf8)), keyID: "k", algorithm: "HS256")
        #expect(try JWT.verify(token, keys: [secret], at: date).payload == Self.claims.bytes)
        #expect(throws: JOSEError.algorithmNotAllowed("HS256", key: published[0].summary)) {
            try JWT.verify(token, keys: published, at: date)
        }
    }

    @Test func `audience, issuer and type are wrong alone, under a right signature`() throws {
        let audience = try JSONValue(
            parsing: JWT.verify(token(.wrongAudience), keys: published, at: date).payload)
        #expect(audience["aud"] == .string(TokenFlaw.elsewhere))
        #expect(audience["iss"] == Self.claims["iss"])
        let issuer = try JSONValue(
            parsing: JWT.verify(token(.wrongIssuer), keys: published, at: date).payload)
        #expect(issuer["iss"] == .string(TokenFlaw.elsewhere))
        #expect(issuer["aud"] == Self.claims["aud"])
        #expect(try JWT.verify(token(.wrongType), keys: published, at: date).header.type == "at+jwt")
        let access = try JWT.verify(token(.wrongType, type: "at+jwt"), keys: published, at: date)
        #expect(access.header.type == "JWT")
        #expect(access.payload == Self.claims.bytes)
    }

    @Test func `an expired token lived as long as a good one, and one for later will`() throws {
        let past = try part(1, of: token(.expired))
        #expect(past["exp"] == .integer(Self.now - 3600))
        #expect(past["iat"] == .integer(Self.now - 3900))
        let future = try part(1, of: token(.notYetValid))
        #expect(future["nbf"] == .integer(Self.now + 3600))
        #expect(future["exp"] == .integer(Self.now + 3900))
        // A token without times gets those that the flaw is about.
        let timeless = try part(1, of: token(.expired, ["sub": "ada"]))
        #expect(timeless == ["sub": "ada", "exp": .integer(Self.now - 3600)])
    }

    @Test(arguments: TokenFlaw.allCases)
    func `a flaw goes by its name and says in a sentence what is wrong`(_ flaw: TokenFlaw) throws {
        #expect(flaw.explanation.first?.isUppercase == true)
        #expect(flaw.explanation.hasSuffix("."))
        #expect(try JSONDecoder().decode(TokenFlaw.self, from: JSONEncoder().encode(flaw)) == flaw)
        #expect(try token(flaw) != token(flaw, type: "JWT", ["sub": "grace"]))
    }
}
