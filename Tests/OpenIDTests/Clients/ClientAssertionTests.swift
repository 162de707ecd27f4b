import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// Source: RFC 7523 §3.
@Suite struct ClientAssertionTests {
    private let kit: AssertionKit
    private let bench: TestBench<MountedServer>

    init() throws {
        kit = try AssertionKit()
        bench = try TestBench.mounted(
            """
            "clients": [
                {"client_id": "keeper", "token_endpoint_auth_method": "private_key_jwt", "jwks": \(kit.jwks)},
                {"client_id": "fetcher", "token_endpoint_auth_method": "private_key_jwt",
                    "jwks_uri": "https://fetcher.example/jwks"},
                {"client_id": "portal", "client_secret": "portal-secret"}
            ]
            """)
    }

    private var claims: [String: JSONValue] { AssertionKit.claims(bench) }

    /// The request as the dispatcher hands it on.
    private func sent(_ assertion: String, _ more: String = "") -> Request {
        var request = kit.request(assertion, more)
        (request.context.origin, request.context.mount) = ("http://localhost:8420", "/oauth")
        return request
    }

    private func refusal(_ changes: [String: JSONValue?]) throws -> ClientRefusal {
        var claims = claims
        for (name, value) in changes { claims[name] = value }
        let request = sent(try kit.assertion(claims))
        return try #require(#expect(throws: ClientRefusal.self) { try bench.server.requireClient(request) })
    }

    private func fault(_ changes: [String: JSONValue?]) throws -> AssertionFault? {
        let refusal = try refusal(changes)
        #expect(refusal.wire.error == "invalid_client")
        #expect(refusal.wire.status == .unauthorized)
        #expect(refusal.explanation.hasSuffix("."))
        return refusal.fault
    }

    @Test(arguments: [
        "http://localhost:8420/oauth", "http://localhost:8420/oauth/token", "http://localhost:8420/oauth/par",
    ])
    func `an assertion for the issuer or an endpoint proves the client`(_ audience: String) throws {
        var claims = claims
        claims["aud"] = .string(audience)
        #expect(try bench.server.requireClient(sent(kit.assertion(claims))).id == "keeper")
        claims["aud"] = ["https://elsewhere.example", .string(audience)]
        claims["jti"] = "two"
        #expect(
            try bench.server.requireClient(sent(kit.assertion(claims), "&client_id=keeper")).id == "keeper")
    }

    @Test func `an assertion is good for one request`() throws {
        let assertion = try kit.assertion(claims)
        _ = try bench.server.requireClient(sent(assertion))
        let error = #expect(throws: ClientRefusal.self) { try bench.server.requireClient(sent(assertion)) }
        #expect(error?.fault == .replayed("one"))
    }

    // OpenID Connect Core 1.0 §9 demands a jti, RFC 7523 §3 does not.
    @Test func `without a jti an assertion is good again, outside of OpenID Connect flows`() throws {
        var claims = claims
        claims["jti"] = nil
        let assertion = try kit.assertion(claims)
        for form in [
            "", "&grant_type=client_credentials&scope=read", "&token=x&scope=openid", "&scope=read",
            "&grant_type=authorization_code&code=none", "&grant_type=refresh_token&refresh_token=none",
        ] {
            for _ in 1...2 { #expect(try bench.server.requireClient(sent(assertion, form)).id == "keeper") }
        }
        for form in ["&grant_type=password&scope=read+openid", "&scope=openid&response_type=code"] {
            let error = #expect(throws: ClientRefusal.self, "\(form)") {
                try bench.server.requireClient(sent(assertion, form))
            }
            #expect(error?.fault == .identifierMissing)
        }
    }

    @Test func `a code, a refresh token or a device of an OpenID Connect flow demands a jti`() throws {
        var claims = claims
        claims["jti"] = nil
        let assertion = try kit.assertion(claims)
        for scope in ["openid", "read"] {
            let code = try bench.logIn(client: "keeper", "code-" + scope) { $0.scope = ScopeList(scope) }
            let request = sent(assertion, "&grant_type=authorization_code&code=\(code)")
            if scope == "read" {
                #expect(try bench.server.requireClient(request).id == "keeper")
            } else {
                #expect(throws: ClientRefusal.self) { try bench.server.requireClient(request) }
            }
        }
    }

    @Test func `of a hundred parallel requests with one assertion, one succeeds`() async throws {
        let request = sent(try kit.assertion(claims))
        let server = bench.server
        let successes = await withTaskGroup(of: Bool.self) { group in
            for _ in 1...100 {
                group.addTask {
                    do { return try server.requireClient(request).id == "keeper" } catch { return false }
                }
            }
            return await group.reduce(0) { $0 + ($1 ? 1 : 0) }
        }
        #expect(successes == 1)
    }

    @Test func `a jti is forgotten when its assertion is too old anyway`() throws {
        _ = try bench.server.requireClient(sent(kit.assertion(claims)))
        try bench.clock.advance(seconds: 121)
        _ = try bench.server.requireClient(sent(kit.assertion(AssertionKit.claims(bench, "two"))))
        let kept = try bench.world.database.read {
            try $0.value(Int.self, "SELECT count(*) FROM openid_assertion")
        }
        #expect(kept == 1)
    }

    @Test func `each claim is checked, and the journal says what was expected`() throws {
        #expect(try fault(["iss": nil]) == .issuerMissing)
        #expect(try fault(["sub": nil]) == .subjectDiffers(issuer: "keeper", subject: nil))
        #expect(try fault(["sub": "ada"]) == .subjectDiffers(issuer: "keeper", subject: "ada"))
        #expect(try fault(["exp": nil]) == .expiryMissing)
        #expect(try fault(["jti": .string(String(repeating: "x", count: 256))]) == .identifierTooLong)
        let now = Int(bench.clock.now.timeIntervalSince1970)
        #expect(try fault(["exp": .integer(now + 3601)]) == .expiresTooLate(secondsAhead: 3601))
        #expect(try fault(["exp": .integer(now - 60)]) == .notVerified("the token expired 60 s ago"))
        #expect(
            try fault(["nbf": .integer(now + 61)]) == .notVerified("the token is valid only in 61 s (nbf)"))
        #expect(try refusal(["aud": nil]).explanation.contains("found none"))
        #expect(
            try refusal(["aud": "http://localhost:8420"]).explanation.contains(
                "found “http://localhost:8420”"))
        #expect(try refusal(["iss": "keepr", "sub": "keepr"]).explanation.contains("did you mean “keeper”?"))
        #expect(try refusal(["iss": "portal", "sub": "portal"]).explanation.contains("client_secret_basic"))
    }

    @Test func `numbers beyond every range are refused like others`() throws {
        #expect(try fault(["exp": .number(1e300)]) == .expiresTooLate(secondsAhead: .max))
        #expect(try fault(["exp": .number(-1e300)]) != nil)
        #expect(try fault(["nbf": .number(1e300)]) != nil)
    }

    @Test func `a clock of the client that is a minute off is tolerated`() throws {
        let now = Int(bench.clock.now.timeIntervalSince1970)
        var claims = claims
        (claims["exp"], claims["nbf"], claims["iat"]) = (
            .integer(now - 59), .integer(now + 60), .integer(now + 60)
        )
        #expect(try bench.server.requireClient(sent(kit.assertion(claims))).id == "keeper")
    }

    @Test func `another key, another algorithm and broken tokens are refused`() throws {
        let other = try AssertionKit()
        let symmetric = JWK(
            .secret(Array("a secret of more than 32 bytes, for HS256".utf8)), algorithm: "HS256")
        let unsigned = "eyJhbGciOiJub25lIn0." + Base64URL.encode(JSONValue.object(claims).bytes) + "."
        for token in [
            try other.assertion(claims), try JWT.sign(JSONValue.object(claims), with: symmetric), unsigned,
            "a.b",
            "a.b.c", "..", String(repeating: "x", count: 20_000),
        ] {
            let error = #expect(throws: ClientRefusal.self) { try bench.server.requireClient(sent(token)) }
            #expect(error?.wire.error == "invalid_client")
        }
    }

    @Test func `the form must name the right type and no other client`() throws {
        let assertion = try kit.assertion(claims)
        let error = #expect(throws: ClientRefusal.self) {
            try bench.server.requireClient(sent(assertion, "&client_id=portal"))
        }
        #expect(error?.wire.error == "invalid_client")
        let untyped = Request(
            .post, "/oauth/token", headers: ["Content-Type": "application/x-www-form-urlencoded"],
            body: Array("client_assertion=\(assertion)".utf8))
        let missing = #expect(throws: ClientRefusal.self) { try bench.server.requireClient(untyped) }
        #expect(missing?.wire.error == "invalid_request")
    }

    @Test func `keys behind jwks_uri are fetched for every request`() throws {
        var claims = claims
        (claims["iss"], claims["sub"]) = ("fetcher", "fetcher")
        let body = Array(try kit.jwks.utf8)
        let web = WebCalls { method, url, _, _ in
            #expect(method == .get)
            #expect(url == "https://fetcher.example/jwks")
            return Response(body: body)
        }
        let request = sent(try kit.assertion(claims))
        let client = try MountedServer.$web.withValue(web) { try bench.server.requireClient(request) }
        #expect(client.id == "fetcher")
    }

    @Test func `keys that cannot be fetched or read are told apart`() throws {
        var claims = claims
        (claims["iss"], claims["sub"]) = ("fetcher", "fetcher")
        let request = sent(try kit.assertion(claims))
        let answers: [(expected: String, web: WebCalls)] = [
            ("could not be fetched", WebCalls { _, _, _, _ in throw WebCallFailed("nobody listens") }),
            ("the answer is 404", WebCalls { _, _, _, _ in Response(status: .notFound) }),
            ("is not JSON", WebCalls { _, _, _, _ in Response(body: Array("<html>".utf8)) }),
            ("the member keys", WebCalls { _, _, _, _ in Response(body: Array("{}".utf8)) }),
            ("the set is empty", WebCalls { _, _, _, _ in Response(body: Array(#"{"keys":[]}"#.utf8)) }),
        ]
        for (expected, web) in answers {
            let error = MountedServer.$web.withValue(web) {
                #expect(throws: ClientRefusal.self) { try bench.server.requireClient(request) }
            }
            #expect(error?.explanation.contains(expected) == true, "\(error?.explanation ?? "")")
        }
    }

    // Token Server documentation.
    @Test func `management APIs take the assertion as a bearer token, the others do not`() throws {
        var request = Request(
            .get, "/oauth/api", headers: ["Authorization": "Bearer \(try kit.assertion(claims))"])
        (request.context.origin, request.context.mount) = ("http://localhost:8420", "/oauth")
        #expect(throws: ClientRefusal.self) { try bench.server.requireClient(request) }
        #expect(try bench.server.requireClient(request, allowingBearerAssertion: true).id == "keeper")
        let again = #expect(throws: ClientRefusal.self) {
            try bench.server.requireClient(request, allowingBearerAssertion: true)
        }
        #expect(again?.wire.headers.first?.value == "Bearer realm=\"OAuth\"")
    }

    // Of the FAPI 2 plan of the OpenID Foundation's conformance suite.
    @Test func `ensure-client-assertion-with-exp-is-5-minutes-in-past-fails`() throws {
        #expect(try fault(["exp": .integer(Int(bench.clock.now.timeIntervalSince1970) - 300)]) != nil)
    }

    @Test func `ensure-client-assertion-with-no-sub-fails`() throws {
        #expect(try fault(["sub": nil]) != nil)
    }

    @Test func `ensure-client-assertion-with-wrong-aud-fails`() throws {
        #expect(try fault(["aud": "https://other.example/oauth"]) != nil)
    }

    @Test func `par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted`() throws {
        var claims = claims
        claims["nbf"] = .integer(Int(bench.clock.now.timeIntervalSince1970) + 8)
        #expect(try bench.server.requireClient(sent(kit.assertion(claims))).id == "keeper")
    }
}
