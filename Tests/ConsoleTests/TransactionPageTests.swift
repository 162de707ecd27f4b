import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct TransactionPageTests {
    private static let hostile = "<img src=x onerror=alert(1)>\"'&{{main}}"

    private func bench(token: String? = nil, title: String = "Log in?", code: String? = "acme:1234") throws
        -> ConsoleBench
    {
        let bench = try ConsoleBench(token: token)
        try Acme(bench.world).ask("a", title: title, code: code)
        return bench
    }

    private func decide(_ bench: ConsoleBench, _ action: String, _ headers: Headers = [:]) -> Response {
        var headers = headers
        headers["Content-Type"] = "application/x-www-form-urlencoded"
        return bench.send(.post, "/transactions/a", body: "action=" + action, headers: headers)
    }

    private func shown(_ bench: ConsoleBench, _ query: String = "") -> [String] {
        bench.send(.get, "/transactions" + query).text.matches(of: /<li class="record" id="t-(\w+)"/).map {
            String($0.output.1)
        }
    }

    @Test func `the list has a line for what waits, which leads to its page`() throws {
        let page = try bench().send(.get, "/transactions")

        #expect(page.status == .ok)
        #expect(page.text.contains("<title>Waiting · Understudy</title>"))
        #expect(page.text.contains("<span class=\"outcome moved\">waiting</span>"))
        #expect(page.text.contains("<a class=\"subject\" href=\"/transactions/a\">Log in?</a>"))
        #expect(
            page.text.contains(
                "<span class=\"left\" data-until=\"2026-01-02T03:09:05.000Z\">300 s left</span>"))
        #expect(!page.text.contains("viewBox=\"0 0 29 29\""))
        #expect(!page.text.contains("{{"))
        #expect(page.text.firstMatch(of: /<script>|<style|style=| on[a-z]+=/) == nil)
    }

    @Test func `a page shows what waits, to be scanned, copied and decided`() throws {
        let page = try bench().send(.get, "/transactions/a")

        #expect(page.status == .ok)
        #expect(page.text.contains("<title>Log in? · Understudy</title>"))
        #expect(page.text.contains("viewBox=\"0 0 29 29\""))
        #expect(page.text.contains("<code class=\"code\" data-copy>acme:1234</code>"))
        #expect(page.text.contains("<div><dt>Amount</dt><dd>&lt;100&gt;</dd></div>"))
        #expect(page.text.contains("<a href=\"/acme/sdk/v1/qr/a?key=1\" target=\"_top\">"))
        #expect(page.text.contains("<form class=\"acts inputs\" action=\"/transactions/a\" method=\"post\""))
        #expect(page.text.contains("<button name=\"action\" value=\"confirm:ada\">Confirm as ada</button>"))
        #expect(!page.text.contains("{{"))
        #expect(page.text.firstMatch(of: /<script>|<style|style=| on[a-z]+=/) == nil)
    }

    // WHATWG Fetch, “append a request `Origin` header”: under “no-referrer” a form's origin would be “null”.
    @Test func `the browser may tell us the origin of the page's forms, and nobody else`() throws {
        #expect(try bench().send(.get, "/transactions").headers["Referrer-Policy"] == "same-origin")
    }

    @Test func `a button decides, and leads back to the transaction`() throws {
        let bench = try bench()
        let origin: Headers = ["Origin": "http://localhost:8420", "Sec-Fetch-Site": "same-origin"]

        let decided = decide(bench, "confirm%3Aada", origin)
        #expect(decided.status == .seeOther)
        #expect(decided.headers["Location"] == "/transactions/a")
        let page = bench.send(.get, "/transactions/a").text
        #expect(page.contains("<span class=\"outcome good\">confirmed by ada</span>"))
        #expect(!page.contains("<svg") && !page.contains("value=\"confirm\""))
        #expect(page.contains("<li class=\"event\"><b>AUTHENTICATED</b>"))
    }

    @Test func `callbacks are shown with what came of them`() throws {
        let bench = try bench()
        _ = decide(bench, "deny")
        #expect(
            bench.send(.get, "/transactions/a").text.contains(
                """
                <li class="notice"><span class="outcome broken">503</span> \
                <span class="target">http://localhost:3000/&lt;callback&gt;</span> <span class="duration">3.4 ms</span> \
                <time datetime="2026-01-02T03:04:05Z">2026-01-02 03:04:05</time> <span class="why">It answered &lt;503&gt;.</span></li>
                """))
    }

    @Test func `a refusal is told on the page`() throws {
        let bench = try bench()

        let refused = decide(bench, "nobody")
        #expect(refused.status == .conflict)
        #expect(refused.text.contains("<p class=\"refusal\" role=\"alert\">Nobody has a device.</p>"))
        #expect(decide(bench, "refuse").text.contains("role=\"alert\">it was refused, because tests want"))
        #expect(decide(bench, "").text.contains("role=\"alert\">There is no action “”"))
        let missing = bench.send(.post, "/transactions/none", body: "action=confirm")
        #expect(missing.status == .notFound && missing.text.contains("<h1>Not found</h1>"))
        let gone = bench.send(.get, "/transactions/none")
        #expect(gone.status == .notFound && gone.text.contains("<h1>Not found</h1>"))
        let phoneless = bench.send(
            .post, "/transactions/a", body: "action=approve&phone=none",
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(phoneless.status == .notFound && phoneless.text.contains("<h1>Not found</h1>"))
    }

    @Test(
        arguments: [
            ["Origin": "https://evil.example"], ["Origin": "null"], ["Sec-Fetch-Site": "cross-site"],
            [
                "Sec-Fetch-Site": "cross-site", "Sec-Fetch-Mode": "navigate", "Sec-Fetch-Dest": "document",
            ],
        ] as [Headers])
    func `a form of another site decides nothing`(_ headers: Headers) throws {
        let bench = try bench()
        #expect(decide(bench, "confirm", headers).status == .forbidden)
        #expect(shown(bench, "?open=true") == ["a"])
    }

    @Test func `without the token, nothing is shown or decided`() throws {
        let bench = try bench(token: "secret-token")

        #expect(decide(bench, "confirm").status == .unauthorized)
        #expect(!bench.send(.get, "/transactions").text.contains("Log in?"))
        let cookie: Headers = ["Cookie": "understudy_control=secret-45-token"]
        #expect(bench.send(.get, "/transactions", headers: cookie).text.contains("Log in?"))
        #expect(decide(bench, "confirm", cookie).status == .seeOther)
    }

    @Test func `nothing that a client says becomes markup`() throws {
        let hostile = Self.hostile
        let bench = try bench(title: hostile, code: hostile)
        try Acme(bench.world).ask(hostile, title: hostile, code: hostile)
        _ = decide(bench, "confirm:" + "%3Cimg%20src=x%3E")

        for query in ["", "?user=\(hostile)", "?open=\(hostile)", "?user=%3Cimg%20src=x%3E"] {
            let text = bench.send(.get, "/transactions" + query).text
            #expect(!text.contains("<img src=x"), "\(query)")
            #expect(text.matches(of: /<main/).count == 1, "\(query)")
        }
        for id in ["a", hostile.percentEncoded] {
            let page = bench.send(.get, "/transactions/" + id)
            #expect(page.status == .ok)
            #expect(!page.text.contains("<img src=x") && page.text.matches(of: /<main/).count == 1)
        }
    }

    @Test func `the page is filtered, and says when nothing is there`() throws {
        let bench = try bench()
        try Acme(bench.world).ask("b")
        _ = decide(bench, "confirm:ada")

        #expect(shown(bench).sorted() == ["a", "b"])
        #expect(shown(bench, "?open=&user=").sorted() == ["a", "b"])
        #expect(shown(bench, "?open=true") == ["b"])
        #expect(shown(bench, "?open=false") == ["a"])
        #expect(shown(bench, "?user=ada") == ["a"])
        #expect(shown(bench, "?user=nobody") == [])
        let nobody = bench.send(.get, "/transactions?user=nobody").text
        #expect(nobody.contains("id=\"transactions-nothing\">"))
        #expect(nobody.contains("id=\"transactions-empty\" hidden>"))

        let empty = try ConsoleBench().send(.get, "/transactions").text
        #expect(empty.contains("id=\"transactions-empty\">"))
        #expect(empty.contains("data-copy>understudy otp start</pre>"))
    }

    @Test func `the command that starts one leads to this server and this world`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        #expect(
            bench.send(.get, "/w/blue/transactions", headers: ["Host": "localhost:9000"]).text.contains(
                "data-copy>understudy otp start --url http://localhost:9000 --world blue</pre>"))
    }
}
