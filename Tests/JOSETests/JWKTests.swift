import Crypto
import Essentials
import JOSE
import Testing

struct JWKTests {
    struct Sets: Decodable {
        let `public`: JWKS
        let `private`: JWKS
        let symmetric: JWKS

        static let all = vectors(Sets.self, "jose/rfc7517.json")
    }

    struct ThumbprintVector: Decodable {
        let name: String
        let key: JWK
        let thumbprint: String
    }

    @Test(arguments: vectors([ThumbprintVector].self, "jose/thumbprints.json"))
    func `thumbprints are those of RFC 7638 and RFC 8037`(_ vector: ThumbprintVector) throws {
        #expect(try vector.key.thumbprint() == vector.thumbprint)
    }

    @Test func `the sets of RFC 7517 are read with what they say`() {
        let sets = Sets.all

        #expect(sets.public.keys.map(\.keyID) == ["1", "2011-04-29"])
        #expect(sets.public.keys.map(\.use) == ["enc", nil])
        #expect(sets.public.keys.map(\.algorithm) == [nil, "RS256"])
        #expect(sets.symmetric.keys.map(\.algorithm) == ["A128KW", nil])
    }

    @Test func `publishing the private set gives the public set, and secrets are left out`() {
        let sets = Sets.all

        #expect(sets.private.published == sets.public)
        #expect(sets.symmetric.published == JWKS([]))
    }

    @Test func `sets are written as they were read`() throws {
        let sets = Sets.all

        for set in [sets.public, sets.private, sets.symmetric] {
            #expect(try JSONDecoder().decode(JWKS.self, from: Data(set.json())) == set)
        }
        let json = String(decoding: try sets.private.published.json(), as: UTF8.self)
        #expect(
            json.hasPrefix(#"{"keys":[{"crv":"P-256","kid":"1","kty":"EC","use":"enc","x":"MKBCTNIcKUSDii11"#)
        )
        #expect(!json.contains("\"d\""))
    }

    @Test(arguments: [
        (#"{"kty":"EC","crv":"P-256","x":"AA"}"#, "the key is malformed: “y” is missing"),
        (#"{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}"#, "point: a coordinate of P-256 has 32 bytes"),
        (#"{"kty":"EC","crv":"secp256k1"}"#, "the key is malformed: “crv” is not P-256, P-384 or P-521"),
        (#"{"kty":"oct","k":"AA=="}"#, "the key is malformed: “k” is not base64url without padding"),
        (#"{"kty":"DSA"}"#, "the key is malformed: “kty” is not RSA, EC, OKP (Ed25519) or oct"),
        (#"{"kty":"RSA","n":"AQAB","e":"AQAB"}"#, "key: an RSA key of 17 bits; 1024 to 16384 are accepted"),
    ])
    func `a malformed key says what is wrong`(json: String, reason: String) {
        let error = #expect(throws: DecodingError.self) {
            try JSONDecoder().decode(JWK.self, from: Data(json.utf8))
        }
        guard case .dataCorrupted(let context) = error else {
            Issue.record("another kind of error: \(String(describing: error))")
            return
        }
        #expect(context.debugDescription == reason)
    }

    @Test func `a private number of another key is refused`() throws {
        let (one, other) = (try PrivateKey.generate(.ed25519), try PrivateKey.generate(.ed25519))
        let json = """
            {"kty":"OKP","crv":"Ed25519","x":"\(Base64URL.encode(try one.publicKey.ed25519Bytes()))",
            "d":"\(Base64URL.encode(try other.ed25519Bytes()))"}
            """

        #expect(throws: DecodingError.self) { try JSONDecoder().decode(JWK.self, from: Data(json.utf8)) }
    }
}
