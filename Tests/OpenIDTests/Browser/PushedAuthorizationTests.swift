import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

/// Source: RFC 9126 §4; the names are those of the FAPI 2 plan of the conformance suite.
struct PushedAuthorizationTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    /// Pushes a request that leaves it to the credentials whose it is.
    private func push() throws -> String {
        let response = bench.form(
            "/par",
            [
                "response_type": "code", "redirect_uri": Cast.callback, "scope": "openid", "state": "pushed",
            ],
            headers: ["Authorization": TestBench<MountedServer>.basic("web", "s3cret")])
        return try #require(JSONValue(parsing: response.bytes)["request_uri"]?.string)
    }

    private func open(_ uri: String, _ more: KeyValuePairs<String, String> = [:]) -> Visit {
        var fields = [("client_id", "web"), ("request_uri", uri)]
        for (name, value) in more { fields.append((name, value)) }
        return browser.open("/authorize?" + Browser.encoded(fields))
    }

    @Test func `a pushed request counts alone, whatever stands beside it`() throws {
        let page = open(try push(), ["state": "other", "redirect_uri": "https://evil.example"])
        let back = browser.click("a-1", on: page)
        #expect(back.url.hasPrefix(Cast.callback + "?code=") && back.answer["state"] == "pushed")
    }

    @Test func `par-attempt-reuse-request_uri`() throws {
        let uri = try push()
        #expect(browser.click("a-1", on: open(uri)).answer["code"] != nil)

        let again = open(uri)
        #expect(again.status == 400 && again.page.contains("<code>invalid_request_uri</code>"))
    }

    @Test func `par-attempt-to-use-expired-request_uri`() throws {
        let uri = try push()
        try bench.clock.advance(seconds: 61)
        #expect(open(uri).status == 400)
        #expect(bench.explanation?.contains("too old") == true)
    }

    @Test func `par-attempt-to-use-request_uri-for-different-client`() throws {
        let uri = try push()
        let visit = browser.open("/authorize", ["client_id": "page", "request_uri": uri])
        #expect(visit.status == 400 && bench.explanation?.contains("“web”") == true)
    }

    @Test func `par-ensure-reused-request-uri-prior-to-auth-completion-succeeds`() throws {
        let uri = try push()
        _ = open(uri)
        #expect(browser.click("a-1", on: open(uri)).answer["code"] != nil)
    }

    @Test func `of two tabs with one pushed request the first that is done wins`() throws {
        let uri = try push()
        let (one, other) = (open(uri), open(uri))
        #expect(browser.click("a-1", on: one).answer["code"] != nil)
        #expect(browser.click("a-1", on: other).status == 400)
    }

    @Test func `a login may take longer than the pushed request lives`() throws {
        let page = open(try push())
        try bench.clock.advance(seconds: 120)
        #expect(browser.click("a-1", on: page).answer["code"] != nil)
    }

    @Test func `with a session the pushed request is used up at once`() throws {
        _ = browser.authorize()
        let uri = try push()
        #expect(open(uri).answer["code"] != nil)
        #expect(open(uri).status == 400)
    }
}
