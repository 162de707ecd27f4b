import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Authorization requests that a client signed. Source: RFC 9101 §4 to §6; OpenID Connect Core 1.0 §6.1.
struct RequestObjectTests {
    let bench: TestBench<MountedServer>
    let kit: AssertionKit
    let browser: Browser

    init() throws {
        kit = try AssertionKit()
        bench = try Self.bench(kit)
        browser = Browser(bench)
    }

    private static func bench(_ kit: AssertionKit, _ more: String = "") throws -> TestBench<MountedServer> {
        try Cast.bench(
            """
            {"client_id": "signer", "client_secret": "s3cret", "scope": "openid email", "redirect_uris": ["\(Cast.callback)"],
             "jwks": \(try kit.jwks)\(more)}
            """, more: #""settings": {"request_objects": true}"#)
    }

    private func claims(_ changes: [String: JSONValue] = [:]) -> [String: JSONValue] {
        let now = Int(bench.clock.now.timeIntervalSince1970)
        var claims: [String: JSONValue] = [
            "iss": "signer", "aud": .string(bench.issuer), "client_id": "signer", "response_type": "code",
            "redirect_uri": .string(Cast.callback), "scope": "openid", "state": "signed", "nonce": "n",
            "exp": .integer(now + 60),
        ]
        for (name, value) in changes { claims[name] = value.isNull ? nil : value }
        return claims
    }

    private func ask(_ object: String, _ more: [(String, String)] = [], at browser: Browser? = nil) -> Visit {
        (browser ?? self.browser).open(
            "/authorize?" + Browser.encoded([("client_id", "signer"), ("request", object)] + more))
    }

    @Test func `what is signed counts alone, whatever stands beside it`() throws {
        let beside = [("state", "other"), ("scope", "openid email"), ("redirect_uri", Cast.callback)]
        let back = browser.click("a-1", on: ask(try kit.assertion(claims()), beside))
        #expect(back.url.hasPrefix(Cast.callback + "?code=") && back.answer["state"] == "signed")
        let tokens = bench.form(
            "/token",
            [
                "grant_type": "authorization_code", "code": back.answer["code"] ?? "",
                "redirect_uri": Cast.callback,
            ], headers: ["Authorization": TestBench<MountedServer>.basic("signer", "s3cret")])
        #expect(tokens.fields["scope"] == "openid")
    }

    @Test func `numbers and objects are read as the parameters that they stand for`() throws {
        let signed = claims(["max_age": 0, "prompt": "none", "claims": ["userinfo": ["email": .null]]])
        #expect(ask(try kit.assertion(signed)).answer["error"] == "login_required")
    }

    @Test(
        arguments: [
            (["client_id": "web"], "client_id"), (["iss": "web"], "iss"),
            (["aud": "https://other.example"], "aud"),
            (["exp": 1_000_000], "expired"), (["request": "x"], "request"),
            (["request_uri": "urn:x"], "request_uri"),
            (["client_id": .null], "client_id"),
        ] as [([String: JSONValue], String)])
    func `an object with one thing wrong is refused, and the journal names it`(
        _ changes: [String: JSONValue], _ named: String
    ) throws {
        let visit = ask(
            try kit.assertion(claims(changes)), [("redirect_uri", Cast.callback), ("state", "s")])
        #expect(visit.answer["error"] == "invalid_request_object")
        #expect(bench.explanation?.contains(named) == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `another key, no signature and no JWT are refused; without a redirect URI on a page`() throws {
        let other = try AssertionKit().assertion(claims())
        let unsigned =
            Base64URL.encode(Array(#"{"alg":"none"}"#.utf8)) + "."
            + Base64URL.encode(JSONValue.object(claims()).bytes) + "."
        for object in [other, unsigned, "x", "a.b.c"] {
            let visit = ask(object)
            #expect(visit.status == 400 && visit.page.contains("invalid_request_object"))
            #expect(
                ask(object, [("redirect_uri", Cast.callback)]).answer["error"] == "invalid_request_object")
        }
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the algorithm of the registration is the only one`() throws {
        let bench = try Self.bench(kit, #", "request_object_signing_alg": "PS256""#)
        let visit = ask(try kit.assertion(claims()), [("redirect_uri", Cast.callback)], at: Browser(bench))
        #expect(visit.answer["error"] == "invalid_request_object")
        #expect(bench.explanation?.contains("PS256") == true)
    }

    @Test func `an object can be pushed, and is read once`() throws {
        let pushed = bench.form(
            "/par", ["client_id": "signer", "request": try kit.assertion(claims())],
            headers: ["Authorization": TestBench<MountedServer>.basic("signer", "s3cret")])
        #expect(pushed.status == .created)
        let uri = pushed.fields["request_uri"] ?? ""
        let page = browser.open(
            "/authorize?" + Browser.encoded([("client_id", "signer"), ("request_uri", uri)]))
        #expect(browser.click("a-1", on: page).answer["state"] == "signed")
        let wrong = bench.form(
            "/par", ["client_id": "signer", "request": "x"],
            headers: ["Authorization": TestBench<MountedServer>.basic("signer", "s3cret")])
        #expect(wrong.refusal == "400 invalid_request_object")
    }

    @Test func `an address of an object is not fetched`() throws {
        let visit = browser.open(
            "/authorize?"
                + Browser.encoded([
                    ("client_id", "signer"), ("request_uri", "https://client.example/object"),
                    ("redirect_uri", Cast.callback), ("response_type", "code"),
                ]))
        #expect(visit.answer["error"] == "request_uri_not_supported")
    }

    @Test func `the metadata say what is offered; without the setting an object is not supported`() throws {
        let metadata = try JSONValue(parsing: bench.get("/oauth/.well-known/openid-configuration").bytes)
        #expect(metadata["request_parameter_supported"] == true)
        #expect(metadata["request_object_signing_alg_values_supported"]?.strings?.contains("ES256") == true)

        let plain = try Cast.bench()
        let told = try JSONValue(parsing: plain.get("/oauth/.well-known/openid-configuration").bytes)
        #expect(told["request_parameter_supported"] == false)
        #expect(
            Browser(plain).open(Cast.request(["request": "x"])).answer["error"] == "request_not_supported")
    }
}
