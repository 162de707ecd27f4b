import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

/// The JWT of a proof, as back ends of the third generation check it.
@Suite struct JWTTests {
    private let bench: TestBench<MIRACL>
    private let phone: Phone

    init() throws {
        bench = try .shop()
        phone = try Phone(bench, key: number("z"))
    }

    private func jwt() throws -> String {
        try text(phone.authenticate(scope: ["jwt"], wam: true).object(), "jwt")
    }

    @Test func `it says who proved to whom, for a minute`() throws {
        let keys = try bench.get("/miracl/.well-known/jwks").json(JWKS.self).keys
        let verified = try JWT.verify(jwt(), keys: keys, at: bench.time.now)
        let now = VerifySignatureTests.now
        #expect(
            try verified.decode(JSONValue.self) == [
                "iss": "http://localhost:8420/miracl", "aud": "shop", "sub": "ada@example.com",
                "iat": .integer(now), "exp": .integer(now + 60),
                "hash_mpin_id": .string(Hex.encode(Digest.sha256(try #require(Hex.decode(phone.mpinID))))),
                "scope": ["jwt"],
            ])
        #expect(verified.header.algorithm == .rs256)
        #expect(verified.header.type == "JWT")
        #expect(verified.header.keyID == TestKeys.rsaID)
    }

    private var request: Request {
        var request = Request(.post, "/verification/quickcode")
        (request.context.origin, request.context.askedOrigin) = (
            "http://localhost:8420", "http://localhost:8420"
        )
        request.context.mount = "/miracl"
        return request
    }

    @Test func `it is read again for its project, while it lasts`() throws {
        let (token, platform) = (try jwt(), bench.platform)
        let shop = try #require(try platform.projects.find("shop"))
        let claims = try platform.certificates.claims(ofJWT: token, in: shop, request)
        #expect(claims["sub"] == "ada@example.com")

        let bank = try #require(try platform.projects.find("bank"))
        #expect(throws: JOSEError.self) { try platform.certificates.claims(ofJWT: token, in: bank, request) }
        #expect(throws: JOSEError.self) {
            try platform.certificates.claims(ofJWT: token + "A", in: shop, request)
        }
        bench.time.advance(seconds: 60)
        #expect(throws: JOSEError.expired(secondsAgo: 0)) {
            try platform.certificates.claims(ofJWT: token, in: shop, request)
        }
    }

    @Test func `one that was minted is read as well, and with no flaw`() throws {
        _ = try jwt()
        let shop = try #require(try bench.platform.projects.find("shop"))
        var order = MintRequest(kind: "jwt", request: request)
        (order.user, order.client, order.scope) = ("ada@example.com", "shop", "reg-code otp")

        let good = try MIRACL.mint(order, in: bench.world)
        let claims = try bench.platform.certificates.claims(ofJWT: good.text, in: shop, request)
        #expect(claims["scope"] == ["reg-code", "otp"])
        for flaw in TokenFlaw.allCases {
            order.flaw = flaw
            let wrong = try MIRACL.mint(order, in: bench.world)
            #expect(throws: JOSEError.self, "\(flaw)") {
                try bench.platform.certificates.claims(ofJWT: wrong.text, in: shop, request)
            }
        }
    }
}
