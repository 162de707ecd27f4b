import Crypto
import Essentials
import JOSE
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

/// The checks of `oidcc-basic-certification-test-plan` that begin at the authorization endpoint, under their own names. Source:
/// the OpenID Foundation's conformance suite.
struct BasicConformanceTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    @Test func `oidcc-server`() throws {
        let tokens = try bench.redeem(browser.authorize().answer["code"])
        let idToken = try #require(tokens["id_token"]?.string)
        let claims = try bench.claims(tokens["id_token"])

        #expect(tokens["token_type"] == "Bearer")
        let keys = try JSONValue(parsing: bench.get("/oauth/jwks").bytes)
        let set = try JSONDecoder().decode(JWKS.self, from: Data(keys.bytes))
        _ = try JWT.verify(idToken, keys: set.keys, at: bench.clock.now)
        #expect(claims["iss"] == .string(bench.issuer) && claims["aud"] == "web" && claims["sub"] == "a-1")
        #expect(claims["nonce"] == "n-0S6_WzA2Mj")
        #expect(claims["iat"]?.integer == Int(bench.clock.now.timeIntervalSince1970))
        #expect(try bench.userinfo(tokens)["sub"] == "a-1")
    }

    @Test func `oidcc-response-type-missing`() {
        #expect(browser.open(Cast.request(["response_type": ""])).answer["error"] == "invalid_request")
    }

    @Test func `oidcc-ensure-request-without-nonce-succeeds-for-code-flow`() throws {
        let tokens = try bench.redeem(browser.authorize(["nonce": ""]).answer["code"])
        #expect(tokens["id_token"] != nil)
        #expect(try bench.claims(tokens["id_token"])["nonce"] == nil)
    }

    @Test(arguments: [
        ("profile", "name"), ("email", "email_verified"), ("address", "address"), ("phone", "phone_number"),
    ])
    func `oidcc-scope`(scope: String, claim: String) throws {
        let tokens = try bench.redeem(browser.authorize(["scope": "openid " + scope]).answer["code"])
        let info = try bench.userinfo(tokens)
        #expect(info[claim] != nil)
        let others = Set(["name", "email_verified", "address", "phone_number"]).subtracting([claim])
        #expect(others.allSatisfy { info[$0] == nil })
    }

    @Test func `oidcc-scope-all`() throws {
        let tokens = try bench.redeem(
            browser.authorize(["scope": "openid profile email address phone"]).answer["code"])
        let info = try bench.userinfo(tokens)
        #expect(["name", "email", "address", "phone_number"].allSatisfy { info[$0] != nil })
    }

    @Test func `oidcc-alternate-happy-flow`() throws {
        let login = browser.open(
            "/authorize",
            [
                "state": "s", "scope": "phone address email profile openid", "redirect_uri": Cast.callback,
                "nonce": "n", "client_id": "web", "response_type": "code",
            ])
        let tokens = try bench.redeem(browser.click("a-1", on: login).answer["code"])
        #expect(try bench.claims(tokens["id_token"])["sub"] == "a-1")
    }

    @Test(arguments: ["page", "popup", "touch", "wap"])
    func `oidcc-display-page, oidcc-display-popup and the other displays`(display: String) {
        #expect(browser.authorize(["display": display]).answer["code"] != nil)
    }

    @Test func `oidcc-prompt-login`() throws {
        let first = try bench.claims(bench.redeem(browser.authorize().answer["code"])["id_token"])
        try bench.clock.advance(seconds: 5)

        let page = browser.open(Cast.request(["prompt": "login"]))
        #expect(page.heading == "Log in")
        let second = try bench.claims(
            bench.redeem(browser.click("a-1", on: page).answer["code"])["id_token"])
        #expect(second["auth_time"]?.integer == first["auth_time"]?.integer.map { $0 + 5 })
        #expect(second["sub"] == first["sub"] && second["sid"] == first["sid"])
    }

    @Test func `oidcc-prompt-none-not-logged-in`() {
        let visit = browser.open(Cast.request(["prompt": "none"]))
        #expect(visit.url.hasPrefix(Cast.callback) && visit.answer["error"] == "login_required")
        #expect(visit.answer["state"] == "xyz")
    }

    @Test func `oidcc-prompt-none-logged-in`() throws {
        let first = try bench.claims(bench.redeem(browser.authorize().answer["code"])["id_token"])
        try bench.clock.advance(seconds: 60)

        let silent = browser.open(Cast.request(["prompt": "none"]))
        let second = try bench.claims(bench.redeem(silent.answer["code"])["id_token"])
        #expect(second["sub"] == "a-1" && second["auth_time"] == first["auth_time"])
    }

    @Test func `oidcc-max-age-1`() throws {
        let first = try bench.claims(bench.redeem(browser.authorize().answer["code"])["id_token"])
        try bench.clock.advance(seconds: 2)

        let page = browser.open(Cast.request(["max_age": "1"]))
        #expect(page.heading == "Log in")
        let second = try bench.claims(bench.redeem(browser.click("a-1", on: page).answer["code"])["id_token"])
        #expect(second["auth_time"]?.integer == first["auth_time"]?.integer.map { $0 + 2 })
    }

    @Test func `oidcc-max-age-10000`() throws {
        let first = try bench.claims(bench.redeem(browser.authorize().answer["code"])["id_token"])
        try bench.clock.advance(seconds: 9_999)

        let silent = browser.open(Cast.request(["max_age": "10000"]))
        let second = try bench.claims(bench.redeem(silent.answer["code"])["id_token"])
        #expect(second["auth_time"] == first["auth_time"])
    }

    @Test func `max_age=0 asks every time`() {
        _ = browser.authorize()
        #expect(browser.open(Cast.request(["max_age": "0"])).heading == "Log in")
        #expect(browser.authorize(["max_age": "0"]).answer["code"] != nil)
    }

    @Test func `oidcc-ensure-request-with-unknown-parameter-succeeds`() {
        #expect(browser.authorize(["extra": "foobar"]).answer["code"] != nil)
    }

    @Test func `oidcc-id-token-hint`() throws {
        let hint = try bench.redeem(browser.authorize().answer["code"])["id_token"]?.string ?? ""
        try bench.clock.advance(seconds: 4000)

        let silent = browser.open(Cast.request(["prompt": "none", "id_token_hint": hint]))
        #expect(silent.answer["code"] != nil, "an expired hint will do")
    }

    @Test func `a hint at another user needs another login`() throws {
        let hint = try bench.redeem(browser.authorize(as: "b-2").answer["code"])["id_token"]?.string ?? ""
        browser.forgetCookies()
        _ = browser.authorize(as: "a-1")

        let silent = browser.open(Cast.request(["prompt": "none", "id_token_hint": hint]))
        #expect(silent.answer["error"] == "login_required")
        let page = browser.open(Cast.request(["id_token_hint": hint]))
        #expect(page.heading == "Log in")
        #expect(page.forms.first?.buttons.first?.value == "b-2", "who is meant comes first")
        #expect(browser.click("a-1", on: page).answer["error"] == "login_required")
        let again = browser.open(Cast.request(["id_token_hint": hint]))
        #expect(browser.click("b-2", on: again).answer["code"] != nil)
    }

    @Test func `oidcc-login-hint`() {
        let page = browser.open(Cast.request(["login_hint": "bob"]))
        #expect(page.forms.compactMap { $0["username"] }.first == "bob")
        #expect(page.forms.first?.buttons.first?.value == "b-2")
        #expect(browser.click("b-2", on: page).answer["code"] != nil)
    }

    @Test(arguments: ["ui_locales", "claims_locales"])
    func `oidcc-ui-locales and oidcc-claims-locales`(name: String) {
        #expect(browser.authorize([name: "se fr-CA"]).answer["code"] != nil)
    }

    @Test func `oidcc-ensure-request-with-acr-values-succeeds`() throws {
        let code = browser.authorize(["acr_values": "1 2"]).answer["code"]
        #expect(try bench.claims(bench.redeem(code)["id_token"])["acr"] == "1")
        let other = browser.authorize(["acr_values": "urn:unknown"]).answer["code"]
        #expect(try bench.claims(bench.redeem(other)["id_token"])["acr"] == "1")
    }

    // OpenID Connect Core 1.0 §5.5.1.1
    @Test func `a voluntary acr counts where it can be reached, and does no harm where it cannot`() throws {
        let bench = try Cast.bench(more: #""pages": {"acr_values": ["1", "2", "3"]}"#)
        let browser = Browser(bench)
        for (rule, expected) in [
            (#"{"value":"2"}"#, "2"), (#"{"values":["9","3"]}"#, "3"), (#"{"value":"9"}"#, "1"),
            ("null", "1"),
        ] {
            let claims = #"{"id_token":{"acr":\#(rule)}}"#
            let code = browser.authorize(["claims": claims]).answer["code"]
            #expect(try bench.claims(bench.redeem(code)["id_token"])["acr"] == .string(expected), "\(rule)")
        }
    }

    @Test func `an essential acr that cannot be reached is refused`() {
        let claims = #"{"id_token":{"acr":{"essential":true,"values":["9"]}}}"#
        #expect(browser.open(Cast.request(["claims": claims])).answer["error"] == "access_denied")
    }

    @Test func `oidcc-ensure-post-request-succeeds`() {
        let page = browser.post(
            "/authorize",
            [
                "client_id": "web", "redirect_uri": Cast.callback, "response_type": "code", "scope": "openid",
                "state": "p",
            ])
        #expect(page.heading == "Log in")
        #expect(browser.click("a-1", on: page).answer["state"] == "p")
    }

    @Test func `oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported`() {
        let visit = browser.open(Cast.request(["request_uri": "https://client.example/request.jwt"]))
        #expect(visit.answer["error"] == "request_uri_not_supported")
    }

    @Test func `oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported`() {
        let visit = browser.open(Cast.request(["request": "eyJhbGciOiJub25lIn0.e30."]))
        #expect(visit.answer["error"] == "request_not_supported")
    }

    @Test func `oidcc-ensure-request-object-with-redirect-uri`() {
        let visit = browser.open(Cast.request(["request": "eyJhbGciOiJub25lIn0.e30.", "redirect_uri": ""]))
        #expect(visit.status == 400 && visit.response.headers["Location"] == nil)
    }

    @Test func `oidcc-claims-essential`() throws {
        let claims = #"{"userinfo":{"name":{"essential":true}},"id_token":{"given_name":null}}"#
        let tokens = try bench.redeem(browser.authorize(["claims": claims]).answer["code"])
        #expect(try bench.userinfo(tokens)["name"] == "Alice Liddell")
        #expect(try bench.claims(tokens["id_token"])["given_name"] == "Alice")
    }

    @Test func `oidcc-codereuse`() throws {
        let code = browser.authorize().answer["code"]
        let tokens = try bench.redeem(code)
        #expect(tokens["access_token"] != nil)

        #expect(try bench.redeem(code)["error"] == "invalid_grant")
        #expect(try bench.userinfo(tokens)["sub"] == nil)
    }

    // RFC 7636, appendix B
    @Test func `oidcc-ensure-request-with-valid-pkce-succeeds`() throws {
        let code = browser.authorize([
            "code_challenge": "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", "code_challenge_method": "S256",
        ]).answer["code"]
        let tokens = try bench.redeem(code, ["code_verifier": "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"])
        #expect(tokens["access_token"] != nil)
    }

    @Test func `incorrect-pkce-code-verifier-rejected and ensure-pkce-code-verifier-required`() throws {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        for verifier in [String(repeating: "x", count: 43), ""] {
            let code = browser.authorize(["code_challenge": challenge, "code_challenge_method": "S256"])
                .answer["code"]
            #expect(try bench.redeem(code, ["code_verifier": verifier])["error"] == "invalid_grant")
        }
    }

    // The suite skips the module when no unsigned token is offered; this shows that none is.
    @Test func `oidcc-idtoken-unsigned: nobody is offered one, and a registration for one is refused`() throws
    {
        let offered = try bench.get("/oauth/.well-known/openid-configuration").json(JSONValue.self)
        #expect(offered["id_token_signing_alg_values_supported"]?.strings?.contains("none") == false)
        let refused = bench.post(
            "/oauth/register",
            raw: #"{"redirect_uris": ["https://client.example/cb"], "id_token_signed_response_alg": "none"}"#)
        #expect(refused.status == .badRequest)
        #expect(refused.fields["error"] == "invalid_client_metadata")
    }

    // Names of the FAPI 2 plan, §20.5.

    @Test func `ensure-authorization-request-with-long-state`() {
        let state = String(repeating: "s", count: 1_024)
        #expect(browser.authorize(["state": state]).answer["state"] == state)
    }

    @Test func `ensure-authorization-request-with-long-nonce`() throws {
        let nonce = String(repeating: "n", count: 384)
        let tokens = try bench.redeem(browser.authorize(["nonce": nonce]).answer["code"])
        #expect(try bench.claims(tokens["id_token"])["nonce"] == .string(nonce))
    }

    @Test func `ensure-other-scope-order-succeeds`() {
        #expect(browser.authorize(["scope": "email openid"]).answer["code"] != nil)
    }

    @Test func `user-rejects-authentication`() throws {
        let page = browser.authorize(["prompt": "consent"])
        #expect(page.heading == "Allow Web Shop?")
        let visit = browser.decide("deny", on: page)
        #expect(visit.url.hasPrefix(Cast.callback))
        #expect(visit.answer["error"] == "access_denied" && visit.answer["state"] == "xyz")
        #expect(visit.answer["iss"] == bench.issuer)
    }
}
