import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

/// Source: RFC 6749 §4.1; RFC 9207.
struct AuthorizeTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    @Test func `a login leads back to the client with code, state and issuer`() throws {
        let login = browser.open(Cast.request())
        #expect(login.status == 200)
        #expect(login.heading == "Log in")

        let back = browser.logIn("alice", "wonderland", on: login)
        #expect(back.status == 303)
        #expect(back.url.hasPrefix(Cast.callback + "?code="))
        #expect(back.answer["state"] == "xyz")
        #expect(back.answer["iss"] == bench.issuer)
        #expect(back.answer["code"]?.utf8.count == 43)
        #expect(back.response.headers["Cache-Control"] == "no-store")
        #expect(back.response.headers["Referrer-Policy"] == "same-origin")
        #expect(back.response.headers["Content-Security-Policy"] == "frame-ancestors 'none'")
        #expect(bench.reports.lines == [])
    }

    @Test func `the grant says who logged in, when, how and under which issuer`() throws {
        let code = browser.authorize(["claims": #"{"userinfo":{"name":null}}"#, "acr_values": "9 1"]).answer[
            "code"]

        let grants = try bench.world.database.read { db in try bench.server.grants.all(in: db) }
        let grant = try #require(grants.first)
        #expect(code != nil && grants.count == 1)
        #expect(grant.subject == "a-1" && grant.clientID == "web" && grant.scope.text == "openid")
        #expect(grant.issuer == bench.issuer && grant.type == "authorization_code")
        #expect(grant.authenticatedAt == bench.clock.now && grant.acr == "1" && grant.amr == ["user"])
        #expect(grant.nonce == "n-0S6_WzA2Mj" && grant.claims?["userinfo"]?["name"] == .null)
        let sessions = try bench.world.database.read { db in try bench.server.sessions.all(of: "a-1", in: db)
        }
        #expect(grant.sessionID == sessions.first?.id && sessions.first?.userAgent == "Test Browser")
    }

    @Test(arguments: [
        ("client_id", "", "invalid_request"), ("client_id", "nobody", "invalid_client"),
        ("redirect_uri", "https://evil.example/", "invalid_request"), ("redirect_uri", "", "invalid_request"),
    ])
    func `whom nobody can answer sees a page, never a redirect`(name: String, value: String, error: String) {
        let visit = browser.open(Cast.request([name: value]))

        #expect(visit.status == 400)
        #expect(visit.response.headers["Location"] == nil)
        #expect(visit.response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(visit.page.contains("<code>\(error)</code>"))
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        ("response_type", "", "invalid_request"),
        ("response_type", "code id_token", "unsupported_response_type"),
        ("response_type", "nonsense", "unsupported_response_type"),
        ("response_mode", "carrier_pigeon", "invalid_request"), ("scope", "openid wishes", "invalid_scope"),
        ("request", "e30.e30.", "request_not_supported"),
        ("request_uri", "https://client.example/request", "request_uri_not_supported"),
        ("registration", "{}", "registration_not_supported"), ("prompt", "none login", "invalid_request"),
        ("prompt", "later", "invalid_request"), ("max_age", "-1", "invalid_request"),
        ("max_age", "99999999999999999999", "invalid_request"), ("max_age", "soon", "invalid_request"),
        ("claims", "[]", "invalid_request"), ("claims", #"{"userinfo":{"name":1}}"#, "invalid_request"),
        ("id_token_hint", "a.b.c", "invalid_request"), ("code_challenge", "short", "invalid_request"),
        ("code_challenge_method", "S256", "invalid_request"), ("prompt", "none", "login_required"),
    ])
    func `other faults go to the client, with state and issuer`(name: String, value: String, error: String) {
        let visit = browser.open(Cast.request([name: value]))

        #expect(visit.status == 303)
        #expect(visit.url.hasPrefix(Cast.callback + "?error=\(error)&"))
        #expect(visit.answer["state"] == "xyz" && visit.answer["iss"] == bench.issuer)
        let description = visit.answer["error_description"] ?? ""
        #expect(!description.isEmpty)
        #expect(description.utf8.allSatisfy { 0x20...0x7E ~= $0 && $0 != 0x22 && $0 != 0x5C })
        #expect(bench.explanation?.isEmpty == false && bench.misshapenExplanations == [])
    }

    @Test func `an unknown method of the code challenge is refused`() {
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let visit = browser.open(
            Cast.request(["code_challenge": challenge, "code_challenge_method": "S512"]))

        #expect(visit.answer["error"] == "invalid_request")
        #expect(bench.explanation?.contains("S512") == true)
    }

    @Test func `a known parameter that comes twice is refused, an unknown one is not`() {
        #expect(browser.open(Cast.request() + "&scope=openid").answer["error"] == "invalid_request")
        #expect(browser.open(Cast.request() + "&client_id=web").status == 400)
        #expect(browser.open(Cast.request() + "&redirect_uri=https%3A%2F%2Fevil.example").status == 400)

        #expect(browser.open(Cast.request() + "&foo=1&foo=2").heading == "Log in")
    }

    @Test func `a client without the grant type is refused`() throws {
        let bench = try Cast.bench(
            """
            {"client_id": "robot", "client_secret": "r", "scope": "openid", "redirect_uris": ["\(Cast.callback)"],
             "grant_types": ["client_credentials"]}
            """)

        let visit = Browser(bench).open(Cast.request(["client_id": "robot"]))
        #expect(visit.answer["error"] == "unauthorized_client")
    }

    @Test func `PKCE is demanded of public clients alone`() {
        let uri = "com.example.app:/cb"
        let bare = browser.open(Cast.request(["client_id": "app", "redirect_uri": uri]))
        #expect(bare.url.hasPrefix(uri + "?error=invalid_request"))
        #expect(bench.explanation?.contains("PKCE") == true)

        // RFC 7636, appendix B
        let challenge = "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"
        let good = browser.authorize([
            "client_id": "app", "redirect_uri": uri, "code_challenge": challenge,
            "code_challenge_method": "S256",
        ])
        #expect(good.url.hasPrefix(uri + "?code="))
    }

    @Test func `without scope the client's default is granted, or the request fails`() throws {
        #expect(browser.open(Cast.request(["scope": ""])).answer["error"] == "invalid_scope")

        let bench = try Cast.bench(
            """
            {"client_id": "dull", "client_secret": "d", "scope": "email phone", "default_scope": "email",
             "redirect_uris": ["\(Cast.callback)"]}
            """)
        #expect(Browser(bench).authorize(["client_id": "dull", "scope": ""]).answer["code"] != nil)
        let grants = try bench.world.database.read { db in try bench.server.grants.all(in: db) }
        #expect(grants.map(\.scope.text) == ["email"])
    }

    @Test func `a request that is too large is refused, whoever asks`() {
        let visit = browser.post(
            "/authorize",
            ["client_id": "web", "redirect_uri": Cast.callback, "x": String(repeating: "x", count: 70_000)])
        #expect(visit.status == 413)

        let long = browser.post(
            "/authorize",
            [
                "client_id": "web", "redirect_uri": Cast.callback, "response_type": "code", "scope": "openid",
                "nonce": String(repeating: "n", count: 8_193),
            ])
        #expect(long.answer["error"] == "invalid_request")
    }

    @Test func `the audit hears of codes and refusals`() throws {
        let heard = AuditTray()
        MountedServer.$policy.withValue(heard) {
            _ = browser.open(Cast.request(["prompt": "none"]))
            _ = browser.open(Cast.request(["client_id": "nobody"]))
            _ = browser.open(Cast.request(["redirect_uri": "https://evil.example"]))
            _ = browser.open(Cast.request(["scope": "wishes"]))
            _ = browser.authorize()
        }

        #expect(
            heard.events.map(\.kind) == [
                .loginRequired, .clientInvalid, .redirectURIInvalid, .scopeInvalid, .codeIssued,
            ])
        #expect(heard.events.last?.subject == "a-1" && heard.events.last?.clientID == "web")
    }
}
