import HTTP
import PlatformKit
import TestKit
import Testing

/// A client of the kind `lenient`, for a first login without fixtures. Source: ours.
struct LenientClientTests {
    static let dev = """
        {"client_id": "dev", "kind": "lenient", "scope": "openid profile", "default_scope": "openid",
         "grant_types": ["authorization_code", "client_credentials"]}
        """

    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench(Self.dev)
        browser = Browser(bench)
    }

    private func request(_ uri: String) -> String {
        Cast.request(["client_id": "dev", "redirect_uri": uri])
    }

    @Test(arguments: [
        "http://localhost:3000/cb", "http://localhost", "https://localhost:8443/a?b=c",
        "http://127.0.0.1:9/cb",
        "http://127.9.9.9/cb", "http://[::1]:4711/cb", "http://app.localhost:3000/cb", "http://LOCALHOST/cb",
    ])
    func `any redirect URI on localhost is let pass, and the journal says so loudly`(_ uri: String) {
        #expect(browser.click("a-1", on: browser.open(request(uri))).answer["code"] != nil)
        let told = bench.journal.compactMap(\.explanation).filter { $0.hasPrefix("LENIENT CLIENT “dev”:") }
        #expect(
            !told.isEmpty && told.allSatisfy { $0.contains(uri) && $0.contains("A real server refuses that") }
        )
        #expect(bench.misshapenExplanations == [])
    }

    @Test(arguments: [
        "https://app.example.com/cb", "http://localhost:3000@evil.example/", "http://localhost.evil.example/",
        "http://127.0.0.1.evil.example/", "http://10.0.2.2/cb", "com.example.app:/cb",
        "http://localhost/cb#x",
        "javascript:localhost", "//localhost/cb", "http://127.1/", "http://localhost\\@evil.example/",
    ])
    func `a redirect URI elsewhere is refused as ever`(_ uri: String) {
        let visit = browser.open(request(uri))
        #expect(visit.status == 400 && visit.heading == "The redirect_uri is not registered")
    }

    @Test func `any secret will do, in either place, and none as well`() throws {
        let grant = "client_credentials"
        let answers = [
            bench.form("/token", ["grant_type": grant, "client_id": "dev", "client_secret": "x"]),
            bench.form("/token", ["grant_type": grant, "client_id": "dev"]),
            bench.form(
                "/token", ["grant_type": grant], headers: ["Authorization": TestBench.basic("dev", "y")]),
        ]
        #expect(answers.allSatisfy { $0.status == .ok })
        let told = bench.journal.filter { $0.kind == .request }.compactMap(\.explanation)
        #expect(told.count == 3 && told.allSatisfy { $0.hasPrefix("LENIENT CLIENT “dev”: it came ") })
    }

    @Test func `a code is traded without a word in the fixtures`() throws {
        let uri = "http://localhost:3000/cb"
        let code = try #require(browser.click("a-1", on: browser.open(request(uri))).answer["code"])
        let answer = bench.form(
            "/token",
            [
                "grant_type": "authorization_code", "code": code, "redirect_uri": uri, "client_id": "dev",
                "client_secret": "anything",
            ])
        #expect(answer.status == .ok && answer.fields["id_token"] != nil)
        let wrong = bench.form(
            "/token",
            ["grant_type": "authorization_code", "code": code, "redirect_uri": uri, "client_id": "dev"])
        #expect(wrong.fields["error"] == "invalid_grant", "a code is good once")
    }

    @Test func `the browser goes back to localhost after a logout too`() {
        let uri = "http://localhost:3000/bye"
        let visit = browser.open("/logout", ["client_id": "dev", "post_logout_redirect_uri": uri])
        #expect(visit.url == uri)
        #expect(
            browser.open("/logout", ["client_id": "dev", "post_logout_redirect_uri": "https://a.example/"])
                .status
                == 400)
    }

    @Test func `another kind of client is as strict as ever`() {
        let visit = browser.open(Cast.request(["redirect_uri": "http://localhost:3000/cb"]))
        #expect(visit.status == 400)
        let answer = bench.form(
            "/token", ["grant_type": "client_credentials", "client_id": "web", "client_secret": "x"])
        #expect(answer.status == .unauthorized)
        #expect(bench.journal.allSatisfy { $0.explanation?.contains("LENIENT") != true })
    }
}
