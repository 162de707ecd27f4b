import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct SessionPageTests {
    private struct Shown {
        let response: Response
        let webOTT: String
        let accessID: String

        init(_ response: Response) throws {
            self.response = response
            webOTT = try #require(response.text.firstMatch(of: /data-ott="([0-9a-f]{32})"/)).1.description
            accessID = try #require(
                response.text.firstMatch(of: /<code id="access-code">([0-9a-f]{32})</)
            ).1.description
        }
    }

    private func show(_ bench: TestBench<MIRACL>, _ more: String = "") -> Response {
        bench.get("/miracl/authorize?" + Browser.authorization + more)
    }

    @Test func `the login page shows the code as picture and text, and looks again without scripts`() throws {
        let bench = try TestProject.bench()

        let shown = try Shown(show(bench, "&lang=fr"))

        #expect(shown.response.status == .ok)
        #expect(shown.response.headers["Content-Type"] == "text/html; charset=utf-8")
        let text = shown.response.text
        #expect(text.contains("<svg"))
        #expect(text.contains("http://localhost:8420/miracl/mobile-login/#\(shown.accessID)"))
        #expect(text.contains("data-state=\"new\""))
        #expect(
            text.contains(
                "<noscript><meta http-equiv=\"refresh\" content=\"2;url=/miracl/authorize/wait/\(shown.webOTT)\"></noscript>"
            ))
        #expect(try bench.post("/miracl/rps/v2/access", ["webOTT": shown.webOTT]).fields["status"] == "new")
    }

    @Test func `the code can be brought to a phone of the console, by whom the console lets in`() throws {
        let fixtures = """
            {"miracl": {"projects": [{"id": "blue", "name": "Blue", "applications": [
                {"client_id": "shop", "client_secret": "secret",
                    "redirect_uris": ["https://shop.example/login"]}]}]}}
            """
        let open = try TestBench(MIRACL.self, fixtures: fixtures)
        let closed = try TestBench(MIRACL.self, fixtures: fixtures, controlToken: "secret")

        let shown = try Shown(show(open))
        let code = "http://localhost:8420/miracl/mobile-login/#" + shown.accessID
        #expect(
            shown.response.text.contains(
                "<a href=\"http://localhost:8420/phones?scan=\(code.percentEncoded)\""))

        let path = "/miracl/authorize?" + Browser.authorization
        #expect(!closed.get(path).text.contains("/phones"))
        let admitted = try #require(
            ControlToken("secret").setCookie(isSecure: false).split(separator: ";").first)
        #expect(closed.get(path, headers: ["Cookie": String(admitted)]).text.contains("/phones?scan="))
    }

    @Test func `the waiting page tells each state, and leaves once the PIN was right`() throws {
        let bench = try TestProject.bench("\"force_activation\": true,")
        let phone = try Phone(on: bench)
        let shown = try Shown(show(bench))
        let page = "/miracl/authorize/wait/" + shown.webOTT
        let tell = { (status: String) in
            try bench.post(
                "/miracl/rps/v2/codeStatus",
                ["status": status, "wid": shown.accessID, "userId": "<b>ada</b>"])
        }

        let steps = { (text: String) in
            text.matches(of: /<li class="(done|open)"( aria-current="step")?>/).map {
                "\($0.1)\($0.2 == nil ? "" : "!")"
            }
        }
        #expect(steps(bench.get(page).text) == ["open!", "open", "open"])
        _ = try tell("wid")
        #expect(steps(bench.get(page).text) == ["done", "open!", "open"])
        #expect(bench.get(page).text.contains("The code was scanned."))
        _ = try tell("user")
        #expect(bench.get(page).text.contains("&lt;b&gt;ada&lt;/b&gt; was chosen."))
        _ = try phone.signIn(shown.accessID)

        let left = bench.get(page)
        #expect(left.status == .seeOther)
        #expect(left.headers["Location"]?.hasPrefix("https://shop.example/login?code=") == true)
        #expect(left.headers["Referrer-Policy"] == "same-origin")
    }

    @Test func `a login that was given up or took too long offers the way back`() throws {
        let bench = try TestProject.bench()
        let (first, second) = (try Shown(show(bench)), try Shown(show(bench)))
        let back = "https://shop.example/login?error=access_denied&amp;state=some-state"

        _ = try bench.post("/miracl/rps/v2/codeStatus", ["status": "abort", "wid": first.accessID])
        let aborted = bench.get("/miracl/authorize/wait/" + first.webOTT)
        try bench.clock.advance(seconds: 300)
        let late = bench.get("/miracl/authorize/wait/" + second.webOTT)

        for (page, state) in [(aborted, "abort"), (late, "expired")] {
            #expect(page.status == .ok)
            #expect(page.text.contains("data-state=\"\(state)\""))
            #expect(page.text.contains(back))
            #expect(!page.text.contains("http-equiv"))
        }
    }

    @Test func `a page that nobody was given is told as a page`() throws {
        let bench = try TestProject.bench()

        let missing = bench.get("/miracl/authorize/wait/deadbeef")

        #expect(missing.status == .notFound)
        #expect(missing.text.contains("There is no such login"))
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `the user of prerollid and of an activation token are named`() throws {
        let bench = try TestProject.bench()
        let begun = try bench.post(
            "/miracl/activate/initiate", ["userId": "ada@example.org", "deviceName": "laptop"],
            headers: ["Authorization": "Bearer blue-token"])
        let token = try #require(begun.members["actToken"]?.string)

        let good = show(bench, "&prerollid=ada@example.org&acttoken=" + token)
        #expect(good.text.contains("<b>ada@example.org</b>"))
        #expect(good.text.contains("<code id=\"activation-token\">\(token)</code>"))
        let void = show(bench, "&acttoken=deadbeef")
        #expect(void.text.contains("The activation token is unknown"))
    }

    @Test func `a wrong redirect URI is told on a page, a wrong scope at the relying party`() throws {
        let bench = try TestProject.bench()

        let page = bench.get(
            "/miracl/authorize?client_id=shop&redirect_uri=https://evil.example/&response_type=code&scope=openid"
        )
        #expect(page.status == .badRequest)
        #expect(page.headers["Location"] == nil)
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
        let sent = bench.get(
            "/miracl/authorize?client_id=shop&redirect_uri=https://shop.example/login&response_type=code"
                + "&scope=bank&state=s")
        #expect(sent.status == .seeOther)
        let location = try #require(sent.headers["Location"])
        #expect(location.hasPrefix("https://shop.example/login?error=invalid_scope&"))
        #expect(Form(location.behind("?"))["state"] == "s")
    }

    @Test func `a phone's camera finds a page at the address of the code`() throws {
        let bench = try TestProject.bench()

        for path in ["/miracl/mobile-login/", "/miracl/mobile-login"] {
            let page = bench.get(path)
            #expect(page.status == .ok)
            #expect(page.text.contains("Open the app"))
        }
    }
}
