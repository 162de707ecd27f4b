import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

/// `POST /dvs/verify`.
@Suite struct VerifySignatureTests {
    /// SHA-256 of "I owe you ten euros.", and of another document.
    static let hash = Hex.encode(Digest.sha256(Array("I owe you ten euros.".utf8)))
    static let otherHash = Hex.encode(Digest.sha256(Array("I owe you ten million euros.".utf8)))
    static let now = Int(ManualTime.start.timeIntervalSince1970)

    private let bench: TestBench<MIRACL>
    private let phone: Phone

    init() throws {
        bench = try .shop()
        phone = try Phone(bench, key: number("z"))
    }

    private func verify(
        _ signature: [String: JSONValue], at timestamp: Int = now, _ authorization: String = Shop.basic,
        query: String = ""
    ) -> Response {
        bench.call(
            .post, "/dvs/verify" + query,
            [
                "signature": .object(signature), "timestamp": .integer(timestamp), "type": "verification",
            ], ["Authorization": authorization])
    }

    // MARK: Right ones

    @Test func `the certificate of a signature says when and over what, and verifies`() throws {
        bench.time.advance(seconds: 7)
        let answer = try verify(phone.signature(of: Self.hash, at: Self.now))
        #expect(answer.status == .ok)

        let keys = try bench.get("/miracl/dvs/jwks").json(JWKS.self).keys
        #expect(keys.map(\.keyID) == [TestKeys.rsaID])
        let certificate = try text(answer.object(), "certificate")
        let verified = try JWT.verify(certificate, keys: keys, at: bench.time.now)
        #expect(
            try verified.decode(JSONValue.self)
                == [
                    "cAt": .integer(Self.now + 7), "exp": .integer(Self.now + 17), "hash": .string(Self.hash),
                ])
        #expect(verified.header.type == "JWT")
        #expect(throws: JOSEError.expired(secondsAgo: 0)) {
            try JWT.verify(certificate, keys: keys, at: bench.time.now.addingTimeInterval(10))
        }
        #expect(bench.get("/miracl/.well-known/jwks").text == bench.get("/miracl/dvs/jwks").text)
    }

    @Test(arguments: [Shop.basic, Shop.bearer, "bearer shop-token"])
    func `back ends come with client secret or service token`(_ authorization: String) throws {
        let signature = try phone.signature(of: Self.hash, at: Self.now)
        #expect(verify(signature, authorization, query: "?project_id=shop").status == .ok)
        #expect(
            verify(signature, authorization, query: "?project_id=bank").isRefusal(
                .forbidden, "FORBIDDEN", "The project is another one"))
    }

    @Test func `the oldest libraries authenticate the hash`() throws {
        // echo -n "$hash" | openssl dgst -sha256 -hmac shop-secret
        let code = Hex.encode(
            Digest.sha256.authenticationCode(of: Array(Self.hash.utf8), key: Array("shop-secret".utf8)))
        let right = "MAAS-HMAC-SHA256 " + Base64.encode(Array("shop-app:\(code)".utf8))
        #expect(try verify(phone.signature(of: Self.hash, at: Self.now), right).status == .ok)

        let other = try verify(phone.signature(of: Self.otherHash, at: Self.now), right)
        #expect(other.isRefusal(.unauthorized, "UNAUTHORIZED", "Unauthorized"))
        for wrong in ["shop-app", "nobody:\(code)", "shop-app:00", "shop-app:xyz"] {
            let header = "MAAS-HMAC-SHA256 " + Base64.encode(Array(wrong.utf8))
            let refused = try verify(phone.signature(of: Self.hash, at: Self.now), header)
            #expect(refused.isRefusal(.unauthorized, "UNAUTHORIZED", "Unauthorized"), "\(wrong)")
        }
    }

    @Test func `other spellings and cases of a signature are understood`() throws {
        var signature = try phone.signature(of: Self.hash, at: Self.now)
        signature["mpinid"] = signature.removeValue(forKey: "mpinId")
        signature["V"] = signature.removeValue(forKey: "v")
        signature["publicKey"] = .string(phone.keyText.uppercased())
        #expect(verify(signature).status == .ok)
    }

    @Test func `the time may stand in the signature`() throws {
        var signature = try phone.signature(of: Self.hash, at: Self.now - 5)
        signature["timestamp"] = .integer(Self.now - 5)
        let answer = bench.call(
            .post, "/dvs/verify", ["signature": .object(signature)], ["Authorization": Shop.basic])
        #expect(answer.status == .ok)
    }

    @Test(arguments: KeyPairVectorTests.rows)
    func `published signatures get the published verdict`(_ row: Row) throws {
        let bench = try TestBench<MIRACL>(MIRACL.self, fixtures: Self.fixtures(row))
        let answer = bench.call(
            .post, "/dvs/verify",
            [
                "signature": [
                    "hash": .string(try row.text("SIGN_MESSAGE")),
                    "mpinId": .string(try row.text("MPIN_ID_HEX")), "u": .string(try row.text("SIGN_U")),
                    "v": .string(try row.text("SIGN_V")), "publicKey": .string(try row.text("PUBLIC_KEY")),
                ], "timestamp": .integer(try row.number("SIGN_TIME")),
            ], ["Authorization": Shop.basic])
        #expect(try answer.status == (row.flag("ACCEPT") ? .ok : .unauthorized))
    }

    private static func fixtures(_ row: Row) throws -> String {
        let shares = Project(
            id: "shop", name: "Shop", firstShare: try row.text("MS1"), secondShare: try row.text("MS2"))
        return """
            {"miracl": {
                "projects": [{
                    "id": "shop", "name": "Shop", "first_share": "\(try row.text("MS1"))",
                    "second_share": "\(try row.text("MS2"))",
                    "applications": [{"client_id": "shop-app", "client_secret": "shop-secret", "redirect_uris": ["/"]}]
                }],
                "identities": [{
                    "mpin_id": "\(try row.text("MPIN_ID_HEX"))", "project_id": "shop", "user_id": "u", "device_name": "",
                    "purpose": "dvs", "state": "active", "public_key": "\(try row.text("PUBLIC_KEY"))",
                    "reg_ott": "0", "registration_expires_at": "2026-01-01T00:00:00Z", "wrong_count": 0,
                    "needs_renewal": false, "dtas": "\(try shares.dtas())", "created_at": "2026-01-01T00:00:00Z"
                }]
            }}
            """
    }

    // MARK: Wrong ones

    @Test func `another document, another time and a wrong PIN are refused`() throws {
        let right = try phone.signature(of: Self.hash, at: Self.now)
        var document = right
        document["hash"] = .string(Self.otherHash)
        let (badPIN, stale) = (
            try phone.signature(of: Self.hash, at: Self.now, pin: 1235),
            try phone.signature(of: Self.otherHash, at: Self.now)
        )
        var mixed = right
        mixed["v"] = stale["v"]

        for (signature, timestamp) in [
            (document, Self.now), (right, Self.now - 1), (right, Self.now + 1), (badPIN, Self.now),
            (mixed, Self.now),
        ] {
            let refused = verify(signature, at: timestamp)
            #expect(refused.isRefusal(.unauthorized, "UNAUTHORIZED", "The signature is wrong"))
            #expect(bench.explanation?.contains("the PIN is wrong, the document is another one") == true)
        }
        #expect(verify(right).status == .ok)
    }

    @Test func `the journal finds out what was signed instead`() throws {
        let asText = try phone.signature(of: Self.hash, at: Self.now, signing: Array(Self.hash.utf8))
        #expect(verify(asText).status == .unauthorized)
        #expect(bench.explanation?.contains("right for the hash as text") == true)

        var early = try phone.signature(of: Self.hash, at: Self.now - 9)
        early["timestamp"] = .integer(Self.now - 9)
        #expect(verify(early).status == .unauthorized)
        #expect(bench.explanation?.contains("right for its own timestamp \(Self.now - 9)") == true)
    }

    @Test func `another key, none, and that of an identity without one are refused`() throws {
        var signature = try phone.signature(of: Self.hash, at: Self.now)
        signature["publicKey"] = .string(Hex.encode(try Client.publicKey(for: number("another z")).bytes))
        #expect(verify(signature).isRefusal(.forbidden, "FORBIDDEN", "Unknown public key"))
        #expect(bench.explanation?.contains("not the one that the identity was registered with") == true)
        signature["publicKey"] = ""
        #expect(verify(signature).isRefusal(.forbidden, "FORBIDDEN", "Unknown public key"))
        #expect(bench.explanation?.contains("brings no publicKey") == true)

        let plain = try Phone(bench, "grace@example.com")
        for key in [phone.keyText, ""] {
            var signature = try plain.signature(of: Self.hash, at: Self.now)
            signature["publicKey"] = .string(key)
            #expect(verify(signature).isRefusal(.forbidden, "FORBIDDEN", "Unknown public key"))
            #expect(bench.explanation?.contains("The identity has no key pair") == true)
        }
    }

    @Test func `an identity that nobody has, or another project, is refused`() throws {
        var signature = try phone.signature(of: Self.hash, at: Self.now)
        #expect(
            verify(signature, Shop.strangerBasic).isRefusal(.forbidden, "FORBIDDEN", "Unknown identity"))
        #expect(bench.explanation?.contains("belongs to the project “shop”") == true)
        signature["mpinId"] = "7b7d"
        #expect(verify(signature).isRefusal(.forbidden, "FORBIDDEN", "Unknown identity"))
        #expect(bench.explanation?.contains("No identity has the M-Pin id 7b7d") == true)
    }

    @Test func `an identity without secrets cannot have signed`() throws {
        var signature = try phone.signature(of: Self.hash, at: Self.now)
        let begun = try bench.call(.put, "/rps/v2/user", ["userId": "grace@example.com"]).object()
        signature["mpinId"] = begun["mpinId"]
        #expect(verify(signature).isRefusal(.forbidden, "FORBIDDEN", "Unknown identity"))
        #expect(bench.explanation?.contains("The identity is verified: it has no secrets yet") == true)
    }

    @Test func `a revoked identity's signatures are gone`() throws {
        let signature = try phone.signature(of: Self.hash, at: Self.now)
        let path = "/api/v1/projects/shop/mpinids/\(phone.mpinID)/revocation"
        #expect(bench.call(.post, path, nil, ["Authorization": Shop.basic]).status == .ok)
        #expect(verify(signature).isRefusal(.gone, "REVOKED_MPINID", "The identity is revoked"))
        #expect(bench.explanation?.contains("The identity is revoked: its signatures") == true)
    }

    @Test func `three wrong PINs end the signatures as well`() throws {
        for status: Status in [.unauthorized, .unauthorized, .gone] {
            #expect(try phone.authenticate(pin: 1, scope: ["dvs-auth"]).status == status)
        }
        let refused = try verify(phone.signature(of: Self.hash, at: Self.now))
        #expect(refused.isRefusal(.gone, "REVOKED_MPINID", "The identity is revoked"))
        #expect(bench.explanation?.contains("blocked by wrong PINs") == true)
    }

    @Test func `an identity that expired is gone`() throws {
        let bench = try TestBench<MIRACL>.shop(project: #""lifetimes": {"identity": 100},"#)
        let phone = try Phone(bench, key: number("z"))
        bench.time.advance(seconds: 100)
        let refused = bench.call(
            .post, "/dvs/verify",
            [
                "signature": .object(try phone.signature(of: Self.hash, at: Self.now)),
                "timestamp": .integer(Self.now),
            ], ["Authorization": Shop.basic])
        #expect(refused.isRefusal(.gone, "REVOKED_MPINID", "The identity is revoked"))
        #expect(bench.explanation == "The identity expired at 2026-01-02T03:05:45.000Z.")
    }

    @Test func `a minute ahead of the clock is accepted, more is not`() throws {
        #expect(
            try verify(phone.signature(of: Self.hash, at: Self.now + 60), at: Self.now + 60).status == .ok)
        let refused = try verify(phone.signature(of: Self.hash, at: Self.now + 61), at: Self.now + 61)
        #expect(refused.isRefusal(of: "timestamp"))
        #expect(bench.explanation?.contains("made 61 s in the future") == true)
        let old = try verify(phone.signature(of: Self.hash, at: 5), at: 5)
        #expect(old.status == .ok, "how old a document may be is the back end's affair")
    }

    @Test(arguments: [-1, Self.now * 1000])
    func `a time that is no unsigned number of 32 bits is refused`(_ timestamp: Int) throws {
        #expect(
            try verify(phone.signature(of: Self.hash, at: Self.now), at: timestamp).isRefusal(of: "timestamp")
        )
        #expect(bench.explanation?.hasSuffix("These may be milliseconds.") == (timestamp > 0))
    }

    @Test(arguments: ["hash", "mpinId", "u", "v"])
    func `a member that is missing or malformed is named`(_ name: String) throws {
        let right = try phone.signature(of: Self.hash, at: Self.now)
        for value: JSONValue? in [nil, "", .null, 5] {
            var signature = right
            signature[name] = value
            #expect(verify(signature).isRefusal(of: name))
        }
        guard name != "mpinId" else { return }
        var signature = right
        signature[name] = "04zz"
        #expect(verify(signature).isRefusal(of: name))
        #expect(bench.explanation?.contains("hexadecimal") == true)
    }

    @Test func `a point off the curve is refused`() throws {
        var signature = try phone.signature(of: Self.hash, at: Self.now)
        signature["u"] = .string("04" + String(repeating: "1", count: 128))
        #expect(verify(signature).isRefusal(of: "u"))
        #expect(bench.explanation?.contains("does not lie on y² = x³ + 2") == true)
    }

    @Test func `a request without signature or time, or of another type, is refused`() throws {
        let signature = JSONValue.object(try phone.signature(of: Self.hash, at: Self.now))
        for (body, name): (JSONValue, String) in [
            (["timestamp": 1], "signature"), (["signature": signature], "timestamp"),
            (["signature": "x", "timestamp": 1], "signature"),
            (["signature": signature, "timestamp": 1, "type": "proof"], "type"),
        ] {
            let refused = bench.call(.post, "/dvs/verify", body, ["Authorization": Shop.basic])
            #expect(refused.isRefusal(of: name), "\(name)")
        }
        let nobody = bench.call(.post, "/dvs/verify", ["signature": signature, "timestamp": 1])
        #expect(nobody.isRefusal(.unauthorized, "UNAUTHORIZED", "Unauthorized"))
        #expect(nobody.headers["WWW-Authenticate"] == "Basic realm=\"MIRACL\"")
    }

    @Test func `explanations are sentences`() throws {
        try `another document, another time and a wrong PIN are refused`()
        try `an identity that nobody has, or another project, is refused`()
        try `a request without signature or time, or of another type, is refused`()
        #expect(bench.misshapenExplanations == [])
    }
}
