import Essentials
import HTTP
import OpenID
import TestKit
import Testing

/// `oidcc-formpost-basic-certification-test-plan`: what changes with `response_mode=form_post`. Source: OAuth 2.0 Form Post Response
/// Mode §2; the OpenID Foundation's conformance suite.
struct FormPostTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    private func fields(_ visit: Visit) -> [String: String] {
        Dictionary(visit.forms.first?.fields.map { ($0.name, $0.value) } ?? []) { first, _ in first }
    }

    @Test func `oidcc-server with form_post`() throws {
        let page = browser.authorize(["response_mode": "form_post"])
        #expect(page.status == 200 && page.response.headers["Cache-Control"] == "no-store")
        #expect(page.forms.first?.action == Cast.callback)
        #expect(fields(page)["state"] == "xyz" && fields(page)["iss"] == bench.issuer)
        #expect(!page.url.contains("code="))
        let tokens = try bench.redeem(fields(page)["code"])
        #expect(tokens["id_token"] != nil)
    }

    @Test func `the page sends itself, and nothing but its own script may run`() {
        let page = browser.authorize(["response_mode": "form_post"])
        #expect(page.page.contains("<script>document.forms[0].submit();</script>"))
        // The digest was computed with openssl: printf %s 'document.forms[0].submit();' | openssl dgst -sha256 -binary | base64
        #expect(
            page.response.headers["Content-Security-Policy"]?.contains(
                "script-src 'sha256-8lDeP0UDwCO6/RhblgeH/ctdBzjVpJxrXizsnIk3cEQ='") == true)
    }

    @Test func `refusals are posted too`() {
        let page = browser.open(Cast.request(["response_mode": "form_post", "prompt": "none"]))
        #expect(page.response.headers["Location"] == nil)
        #expect(fields(page)["error"] == "login_required" && fields(page)["state"] == "xyz")
        #expect(bench.explanation?.contains("prompt=none") == true)
    }

    @Test func `tokens are posted too`() {
        let page = browser.authorize([
            "client_id": "page", "response_type": "id_token token", "response_mode": "form_post",
        ])
        #expect(fields(page)["id_token"] != nil && fields(page)["access_token"] != nil)
    }

    @Test func `a hostile state stays text`() {
        let state = "\"><script>alert('x')</script>&amp;"
        let page = browser.authorize(["response_mode": "form_post", "state": state])
        #expect(fields(page)["state"] == state)
        #expect(!page.page.contains("<script>alert"))
    }
}
