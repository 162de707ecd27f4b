import Crypto
import Essentials
import JOSE
import Testing

struct JWTTests {
    struct Claims: Codable, Equatable {
        var sub = "ada"
        var iss = "http://localhost/hanko"
        var exp: Int?
    }

    private let key = JWK(.secret([UInt8](repeating: 7, count: 32)), keyID: "s", algorithm: "HS256")
    private let now = Date(timeIntervalSince1970: 1_300_819_000)

    @Test func `a token of RFC 7519 says how long ago it expired`() throws {
        let vector = try #require(TokenVector.all.first)

        let verified = try JWT.verify(vector.token, keys: [vector.key], at: now)
        #expect(try verified.decode(TimeClaims.self).exp == 1_300_819_380)
        #expect(throws: JOSEError.expired(secondsAgo: 100)) {
            try JWT.verify(vector.token, keys: [vector.key], at: now + 480)
        }
    }

    @Test func `claims come back as they were signed, their members in the order of names`() throws {
        let claims = Claims(exp: 1_300_819_100)

        let token = try JWT.sign(claims, with: key)
        let verified = try JWT.verify(token, keys: [key], at: now)
        #expect(try verified.decode(Claims.self) == claims)
        #expect(verified.header == JWSHeader(.hs256, keyID: "s", type: "JWT"))
        let json = #"{"exp":1300819100,"iss":"http://localhost/hanko","sub":"ada"}"#
        #expect(String(decoding: verified.payload, as: UTF8.self) == json)
    }

    @Test func `a date is signed as whole seconds`() throws {
        let token = try JWT.sign(["iat": now + 0.9], header: JWSHeader(.hs256), key: key.material)

        #expect(try JWT.verify(token, keys: [key], at: now).payload == Array(#"{"iat":1300819000}"#.utf8))
    }

    @Test func `a payload that is not an object of claims is malformed`() throws {
        for payload in ["[]", "", "{\"exp\":\"soon\"}", "{\"exp\":1e400}"] {
            let token = try JWS.sign(Array(payload.utf8), header: JWSHeader(.hs256), key: key.material)
            let error = #expect(throws: JOSEError.self) { try JWT.verify(token, keys: [key], at: now) }
            #expect(error?.description.hasPrefix("the payload is malformed") == true)
        }
    }

    @Test func `a key that names no algorithm of signatures does not sign by itself`() {
        #expect(throws: JOSEError.algorithmUnsupported("")) {
            try JWT.sign(Claims(), with: JWK(key.material, keyID: "s"))
        }
        #expect(throws: JOSEError.algorithmUnsupported("A128KW")) {
            try JWT.sign(Claims(), with: JWK(key.material, keyID: "s", algorithm: "A128KW"))
        }
    }

    // RFC 7519 §4.1.4: on or after the expiration time MUST NOT be accepted.
    @Test(
        arguments: [
            (TimeClaims(exp: 100), 99.999, 0, nil), (TimeClaims(exp: 100), 100, 0, .expired(secondsAgo: 0)),
            (TimeClaims(exp: 100), 131, 30, .expired(secondsAgo: 31)), (TimeClaims(exp: 100), 129, 30, nil),
            (TimeClaims(nbf: 100), 100, 0, nil), (TimeClaims(nbf: 100), 90, 0, .notYetValid(seconds: 10)),
            (TimeClaims(nbf: 100), 70, 30, nil), (TimeClaims(iat: 100), 69, 30, .issuedInFuture(seconds: 31)),
            (TimeClaims(iat: 100), 100, 0, nil), (TimeClaims(), 1e12, 0, nil),
            (TimeClaims(exp: -1e300), 0, 0, .expired(secondsAgo: Int.max)),
        ] as [(TimeClaims, Double, Int, JOSEError?)])
    func `times are compared with the clock that is given`(
        claims: TimeClaims, now: Double, leewaySeconds: Int, expected: JOSEError?
    ) {
        var refusal: JOSEError?
        do {
            try claims.check(at: Date(timeIntervalSince1970: now), leewaySeconds: leewaySeconds)
        } catch {
            refusal = error as? JOSEError
        }
        #expect(refusal == expected)
    }
}
