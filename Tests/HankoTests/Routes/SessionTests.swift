import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct SessionTests {
    // MARK: How a session is delivered

    @Test func `by default the token is a cookie and nothing else`() throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)

        let response = try bench.finishPasscode(id, code)
        let token = try #require(response.sessionToken)
        #expect(response.headers["X-Session-Lifetime"] == "43200")
        #expect(response.headers["X-Auth-Token"] == nil)
        #expect(response.headers["X-Session-Retention"] == nil)
        #expect(
            response.headers.values(of: "Set-Cookie") == [
                "hanko=\(token); Path=/; Max-Age=43200; HttpOnly; Secure; SameSite=Strict"
            ])
    }

    @Test func `in header mode there is no cookie at all`() throws {
        let bench = try TestBench.mobile()
        let (id, code) = try bench.startPasscode(for: Ada.id)

        let response = try bench.finishPasscode(id, code)
        #expect(response.headers["X-Auth-Token"]?.split(separator: ".").count == 3)
        #expect(response.headers["X-Session-Lifetime"] == "43200")
        #expect(response.headers.values(of: "Set-Cookie").isEmpty)
    }

    @Test(arguments: [
        (
            "{\"domain\": \"example.test\", \"name\": \"sid\", \"http_only\": false}",
            "sid=TOKEN; Path=/; Domain=example.test; Max-Age=43200; Secure; SameSite=Strict"
        ),
        (
            "{\"secure\": false, \"same_site\": \"lax\"}",
            "hanko=TOKEN; Path=/; Max-Age=43200; HttpOnly; SameSite=Lax"
        ),
        (
            "{\"same_site\": \"none\", \"retention\": \"session\"}",
            "hanko=TOKEN; Path=/; HttpOnly; Secure; SameSite=None"
        ),
        ("{\"retention\": \"prompt\"}", "hanko=TOKEN; Path=/; HttpOnly; Secure; SameSite=Strict"),
    ])
    func `cookie attributes follow the fixtures`(cookie: String, expected: String) throws {
        let bench = try TestBench.classic(config: "\"session\": {\"cookie\": \(cookie)}")
        let (id, code) = try bench.startPasscode(for: Ada.id)

        let header = try #require(try bench.finishPasscode(id, code).headers["Set-Cookie"])
        let token = try #require(header.split(separator: ";").first?.split(separator: "=").last)
        #expect(header.replacing(token, with: "TOKEN") == expected)
    }

    @Test func `a configured cookie name is the one that is read`() throws {
        let bench = try TestBench.classic(config: "\"session\": {\"cookie\": {\"name\": \"sid\"}}")
        let (id, code) = try bench.startPasscode(for: Ada.id)
        let header = try #require(try bench.finishPasscode(id, code).headers["Set-Cookie"])

        let cookie = String(header.prefix { $0 != ";" })
        #expect(bench.get("/hanko/me", headers: ["Cookie": cookie]).status == .ok)
    }

    // MARK: What a token says

    @Test func `a token has the header and the claims of the document`() throws {
        let bench = try TestBench.classic()
        let token = try TokenReader(bench.signIn(Ada.id))

        #expect(token.header.alg == "RS256")
        #expect(token.header.typ == "JWT")
        #expect(token.header.kid == TestKeys.rsaID)
        // 2026-01-02T03:05:05Z: a minute after the bench's clock starts.
        #expect(token.claims["iat"] == 1_767_323_105)
        #expect(token.claims["exp"] == 1_767_366_305)
        #expect(token.claims["sub"] == .string(Ada.id))
        #expect(token.claims["aud"] == ["localhost"])
        #expect(
            token.claims["email"] == ["address": "ada@example.com", "is_primary": true, "is_verified": true])
        #expect(Set(token.claims.keys) == ["sub", "iat", "exp", "aud", "session_id", "email"])
        guard case .string(let id)? = token.claims["session_id"] else {
            Issue.record("no session_id")
            return
        }
        #expect(UUIDText.isVersion4(id))
    }

    @Test func `issuer, audience and lifespan follow the fixtures`() throws {
        let bench = try TestBench.classic(
            config: """
                "session": {"issuer": "https://hanko.test", "audience": ["app", "portal"], "lifespan": "1h30m"},
                """)
        let token = try TokenReader(bench.signIn(Ada.id))

        #expect(token.claims["iss"] == "https://hanko.test")
        #expect(token.claims["aud"] == ["app", "portal"])
        #expect(token.claims["exp"] == 1_767_328_505)
    }

    @Test func `without an audience it is the relying party`() throws {
        let bench = try TestBench.classic(
            config: "\"webauthn\": {\"relying_party\": {\"id\": \"app.example.test\"}}")

        #expect(try TokenReader(bench.signIn(Ada.id)).claims["aud"] == ["app.example.test"])
    }

    @Test func `the key set names the key that signs, and may be kept for ten minutes`() throws {
        let bench = try TestBench.classic()

        let response = bench.get("/hanko/.well-known/jwks.json")
        #expect(response.status == .ok)
        #expect(response.headers["Cache-Control"] == "max-age=600")
        guard case .object(let set) = try response.value(), case .array(let keys)? = set["keys"] else {
            Issue.record("no key set")
            return
        }
        let rsa = keys.compactMap { key -> [String: JSONValue]? in
            if case .object(let members) = key, members["kty"] == "RSA" { members } else { nil }
        }
        // The ES256 key of the fixtures is not Hanko's to publish: its tokens are RS256.
        #expect(keys.count == 1)
        #expect(rsa.count == 1)
        #expect(Set(rsa.first?.keys ?? [:].keys) == ["alg", "e", "kid", "kty", "n", "use"])
        #expect(rsa.first?["alg"] == "RS256")
        #expect(rsa.first?["e"] == "AQAB")
        #expect(rsa.first?["use"] == "sig")
        #expect(rsa.first?["kid"] == .string(TestKeys.rsaID))
    }

    // MARK: How a session is accepted

    @Test(arguments: ["Bearer", "bearer", "BEARER"])
    func `the scheme is read in any case`(scheme: String) throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        #expect(bench.get("/hanko/me", headers: ["Authorization": "\(scheme) \(token)"]).status == .ok)
    }

    @Test func `header and cookie are both looked at, the first good one wins`() throws {
        let bench = try TestBench.classic()
        let (ada, grace) = (try bench.signIn(Ada.id), try bench.signIn(Grace.id))

        func who(_ headers: Headers) -> String? { bench.get("/hanko/me", headers: headers).fields["id"] }
        #expect(who(.cookie(ada)) == Ada.id)
        #expect(who(["Authorization": "Bearer \(grace)", "Cookie": "hanko=\(ada)"]) == Grace.id)
        #expect(who(["Authorization": "Bearer none", "Cookie": "hanko=\(ada)"]) == Ada.id)
        #expect(who(["Authorization": "Basic YTpi", "Cookie": "hanko=\(ada)"]) == Ada.id)
    }

    @Test func `a token ends with its lifespan, to the second`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        try bench.clock.advance(seconds: 43_199)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .ok)
        try bench.clock.advance(seconds: 1)
        let late = bench.get("/hanko/me", headers: .bearer(token))
        #expect(late.status == .unauthorized)
        #expect(late.text == refusal(401, "Unauthorized"))
        #expect(bench.explanation?.contains("expired 0 s ago") == true)
    }

    @Test(arguments: [
        ("none", "not a JWT"), ("a.b.c", "not a JWT"), ("..", "not a JWT"), ("", "no session"),
    ])
    func `what is no token is 401 and explained`(token: String, reason: String) throws {
        let bench = try TestBench.classic()

        let response = bench.get("/hanko/me", headers: ["Cookie": "hanko=\(token)"])
        #expect(response.status == .unauthorized)
        #expect(bench.explanation?.contains(reason) == true)
    }

    @Test func `another scheme than Bearer is 401 and explained`() throws {
        let bench = try TestBench.classic()

        #expect(bench.get("/hanko/me", headers: ["Authorization": "Basic YTpi"]).status == .unauthorized)
        #expect(bench.explanation?.contains("“Basic”") == true)
    }

    @Test func `a token with a blank inside is none, blanks around it do no harm`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        func status(_ authorization: String) -> Status {
            bench.get("/hanko/me", headers: ["Authorization": authorization]).status
        }

        #expect(status("Bearer  \(token) ") == .ok)
        #expect(status("Bearer \(token.prefix(50)) \(token.dropFirst(50))") == .unauthorized)
        #expect(bench.explanation?.contains("2 words") == true)
    }

    @Test func `a token that was changed is 401 and explained`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        let other = try bench.signIn(Grace.id)
        let (mine, theirs) = (token.split(separator: "."), other.split(separator: "."))

        let mixed = "\(mine[0]).\(theirs[1]).\(mine[2])"
        #expect(bench.get("/hanko/me", headers: .bearer(mixed)).status == .unauthorized)
        #expect(bench.explanation?.contains("signature") == true)
    }

    @Test func `a token of another server is 401 and explained`() throws {
        let bench = try TestBench.classic()
        let other = try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {
                    "keys": [
                        {"kid": "elsewhere", "alg": "RS256", "for": "hanko",
                            "pem": ["\(TestKeys.rsa.split(separator: "\n").joined(separator: "\", \""))"]},
                    ],
                    "hanko": {
                        "config": {"mfa": {"enabled": false}},
                        "users": [{"id": "\(Ada.id)", "emails": [{"address": "\(Ada.address)"}]}],
                    },
                }
                """)

        #expect(bench.get("/hanko/me", headers: .bearer(try other.signIn(Ada.id))).status == .unauthorized)
        #expect(bench.explanation?.contains("“elsewhere”") == true)
    }

    /// A token that the test signs itself with the world's key, which is no secret.
    private func minted(expiration: Int, sessionID: String?) throws -> String {
        let key = JWK(
            .privateKey(try PrivateKey(pem: TestKeys.rsa)), keyID: TestKeys.rsaID, algorithm: "RS256")
        let claims = SessionClaims(
            subject: Ada.id, issuedAt: 1_767_323_045, expiration: expiration, audience: ["localhost"],
            issuer: nil, sessionID: sessionID, email: nil)
        return try JWT.sign(claims, with: key)
    }

    @Test func `a token without a session id is refused, as 2.x does`() throws {
        let bench = try TestBench.classic()

        let token = try minted(expiration: 1_767_326_645, sessionID: nil)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .unauthorized)
        #expect(bench.explanation?.contains("session_id") == true)
    }

    @Test(arguments: [Int.min, -1, 253_402_300_800, Int.max])
    func `a well signed token with absurd times harms nobody`(expiration: Int) throws {
        let bench = try TestBench.classic()

        let token = try minted(expiration: expiration, sessionID: Ada.id)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .unauthorized)
        #expect(
            try bench.post("/hanko/sessions/validate", ["session_token": token]).text
                == "{\"is_valid\":false}\n")
    }

    @Test func `the signature is RS256 over header and payload`() throws {
        let bench = try TestBench.classic()
        let parts = try bench.signIn(Ada.id).split(separator: ".")

        let signature = try #require(Base64URL.decode(parts[2]))
        let key = try PrivateKey(pem: TestKeys.rsa).publicKey
        #expect(key.isValid(signature, for: Array("\(parts[0]).\(parts[1])".utf8), with: .rs256))
    }

    @Test func `an unsigned token is 401`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        // {"alg":"none","kid":…}, with the payload of a good token and no signature.
        let header = Data("{\"alg\":\"none\",\"kid\":\"\(TestKeys.rsaID)\",\"typ\":\"JWT\"}".utf8)
            .base64EncodedString().replacing("=", with: "")
        let unsigned = "\(header).\(token.split(separator: ".")[1])."
        #expect(bench.get("/hanko/me", headers: .bearer(unsigned)).status == .unauthorized)
    }

    // MARK: Logging out

    @Test func `logging out ends the session and clears the cookie`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = bench.send(.post, "/hanko/logout", headers: .bearer(token))
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        #expect(
            response.headers["Set-Cookie"] == "hanko=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict")
        #expect(bench.events.map(\.event) == ["session removed"])

        let again = bench.send(.post, "/hanko/logout", headers: .bearer(token))
        #expect(again.status == .unauthorized)
        #expect(again.text == refusal(401, "Unauthorized"))
        #expect(bench.explanation?.contains("signed out") == true)
    }

    @Test func `sessions beyond the limit push out the oldest`() throws {
        let bench = try TestBench.classic(config: "\"session\": {\"limit\": 2}")
        let tokens = try (1...3).map { _ in try bench.signIn(Ada.id) }
        #expect(bench.events.map(\.event).contains("session dropped"))
        let grace = try bench.signIn(Grace.id)

        #expect(
            tokens.map { bench.get("/hanko/me", headers: .bearer($0)).status } == [.unauthorized, .ok, .ok])
        #expect(bench.get("/hanko/me", headers: .bearer(grace)).status == .ok)
    }

    @Test func `by default a user has five sessions`() throws {
        let bench = try TestBench.classic()
        let tokens = try (1...6).map { _ in try bench.signIn(Ada.id) }

        #expect(
            tokens.map { bench.get("/hanko/me", headers: .bearer($0)).status.code } == [
                401, 200, 200, 200, 200, 200,
            ])
    }

    // MARK: Idle sessions

    @Test func `a session that lies idle too long is deleted and its cookie cleared`() throws {
        let bench = try TestBench.classic(config: "\"session\": {\"idle_timeout\": \"10m\"}")
        let token = try bench.signIn(Ada.id)

        try bench.clock.advance(seconds: 600)
        #expect(bench.get("/hanko/me", headers: .cookie(token)).status == .ok)
        try bench.clock.advance(seconds: 601)
        let late = bench.get("/hanko/me", headers: .cookie(token))
        #expect(late.status == .unauthorized)
        #expect(late.text == refusal(401, "Unauthorized"))
        #expect(
            late.headers["Set-Cookie"] == "hanko=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict")
        #expect(bench.explanation?.contains("session.idle_timeout") == true)
        let gone = bench.get("/hanko/me", headers: .cookie(token))
        #expect(gone.status == .unauthorized)
        #expect(gone.headers["Set-Cookie"] == nil)
    }
}
