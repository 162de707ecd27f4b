import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct PageTests {
    private static let hostile = "<img src=x onerror=alert(1)>\"'&{{main}}"

    @Test(arguments: [("/", "Home"), ("/outbox", "Outbox"), ("/outbox/1", "A code"), ("/journal", "Journal")])
    func `a page is whole, and may run nothing but our own scripts`(_ path: String, _ title: String) throws {
        let bench = try ConsoleBench()
        try bench.deliver("394857")

        let page = bench.send(.get, path)
        #expect(page.status == .ok)
        #expect(
            page.text.hasPrefix("<!doctype html>")
                && page.text.contains("<title>\(title) · Understudy</title>"))
        #expect(!page.text.contains("{{"))
        #expect(
            page.text.firstMatch(of: /<script>|<style|style=| on[a-z]+=/) == nil,
            "nothing that the policy forbids")
        let rail = try #require(page.text.firstMatch(of: /<nav class="rail".*?<\/nav>/.dotMatchesNewlines()))
            .output
        #expect(rail.matches(of: /aria-current="page"/).count == 1)
        #expect(
            page.headers["Content-Security-Policy"]
                == "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; "
                + "frame-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'self'")
        #expect(page.headers["X-Content-Type-Options"] == "nosniff")
        #expect(page.headers["Referrer-Policy"] == "same-origin")
        #expect(page.headers["Cache-Control"] == "no-store")
        #expect(page.headers["Content-Type"] == "text/html; charset=utf-8")
    }

    @Test func `links of a page stay in its world`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        try bench.deliver("1", html: "<p>1</p>", in: try bench.worlds.world("blue"))

        for path in [
            "/w/blue/", "/w/blue", "/w/blue/outbox", "/w/blue/outbox/1?view=html", "/w/blue/journal",
            "/w/blue/outbox/9", "/w/blue/transactions",
        ] {
            let whole = bench.send(.get, path).text
            // The list of worlds alone leads elsewhere.
            let text = whole.replacing(/<ul class="others".*?<\/ul>/.dotMatchesNewlines(), with: "")
            let links = text.matches(of: /(?:href|src|action)="([^"#]*)"/).map { String($0.output.1) }
            #expect(links.count > 5)
            #expect(
                links.allSatisfy { $0.hasPrefix("/w/blue/") || $0.hasPrefix("/_console/") },
                "\(path): \(links)")
            #expect(text.contains("<meta name=\"understudy-base\" content=\"/w/blue\">"))
        }
    }

    @Test func `the home page links the pages that a platform has to try`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")

        for base in ["", "/w/blue"] {
            let home = bench.send(.get, base + "/").text
            #expect(home.contains("<a href=\"\(base)/acme/hello\">Say &lt;hello&gt;</a>"))
        }
    }

    @Test func `nothing that a client or a fixture says becomes markup`() throws {
        let hostile = Self.hostile
        let bench = try ConsoleBench(
            fixtures: """
                {"people": [{"id": '\(hostile.replacing("'", with: "\\'"))', "name": "<i>", "email": "<i>", "story": "<i>"}]}
                """)
        try bench.world.services.outbox.deliver(
            Message(
                kind: hostile, from: .init(hostile, name: hostile), to: .init(hostile, name: hostile),
                subject: hostile, text: hostile, html: hostile, code: hostile, link: "javascript:" + hostile,
                source: hostile))
        _ = bench.send(
            .get, "/acme/hello", headers: ["X-Evil": hostile, "Accept": "text/html"])
        _ = bench.send(.post, "/acme/<img src=x>", body: hostile)
        bench.world.services.journal.event(hostile, about: hostile, hostile)

        let query = "'\"><img src=x onerror=alert(1)>"
        for path in [
            "/", "/outbox", "/outbox?q=\(query)", "/outbox/1", "/outbox/1?view=raw", "/outbox/1?view=html",
            "/journal", "/journal/1", "/journal/2", "/journal/3",
            "/journal?platform=\(query)&status=\(query)&path=\(query)", "/journal?path=img",
            "/outbox/\(query)",
        ] {
            let text = bench.send(.get, path).text
            #expect(!text.contains("<img src=x") && !text.contains("<i>"), "\(path)")
            #expect(!text.contains("href=\"javascript:"), "\(path)")
            #expect(text.matches(of: /<main/).count == 1, "\(path)")
        }
    }

    @Test func `what is not there is a page that says so`() throws {
        let bench = try ConsoleBench()
        for id in ["99", "none", "%3Cb%3E"] {
            let page = bench.send(.get, "/outbox/" + id)
            #expect(page.status == .notFound)
            #expect(
                page.text.contains("<h1>Not found</h1>") && page.text.contains("The outbox has no message"))
        }
    }

    @Test(arguments: [
        ("/outbox/99", "/outbox"), ("/journal/99", "/journal"), ("/flows/99", "/flows"),
        ("/transactions/none", "/transactions"), ("/phones/none", "/phones"),
        ("/devices/acme/none", "/devices"), ("/docs/none", "/docs"),
    ])
    func `what is not there is marked in the rail where it would be`(_ path: String, _ place: String) throws {
        let page = try ConsoleBench().send(.get, path)
        #expect(page.status == .notFound)
        #expect(page.text.contains("<a href=\"\(place)\" aria-current=\"page\""), "\(path)")
    }

    @Test func `the outbox is searched`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("394857", subject: "Your code")
        try bench.deliver("111111", to: "grace@example.com")

        func shown(_ query: String) -> [String] {
            bench.send(.get, "/outbox" + query).text.matches(of: /<li class="mail" data-id="(\d+)"/).map {
                String($0.output.1)
            }
        }
        #expect(shown("") == ["2", "1"])
        #expect(shown("?q=") == ["2", "1"])
        #expect(shown("?q=++YOUR+") == ["1"])
        #expect(shown("?q=3948") == ["1"])
        #expect(shown("?q=GRACE%40") == ["2"])
        #expect(shown("?q=acme") == ["2", "1"])
        #expect(shown("?q=nobody") == [])
        #expect(bench.send(.get, "/outbox?q=nobody").text.contains("id=\"mails-nothing\">"))
        #expect(bench.send(.get, "/outbox?q=nobody").text.contains("id=\"mails-empty\" hidden>"))
    }

    @Test func `the journal is filtered`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/hello")
        _ = bench.send(.get, "/acme/refuse", headers: ["X-Request-Id": "r"])
        _ = bench.post("/clock/advance", "{\"seconds\": 1}")

        func shown(_ query: String) -> [String] {
            bench.send(.get, "/journal" + query).text.matches(of: /data-id="(\d+)"/).map {
                String($0.output.1)
            }
        }
        #expect(shown("") == ["4", "3", "1"], "the event of the refusal stands below it")
        #expect(shown("?platform=&status=&path=") == ["4", "3", "1"])
        #expect(shown("?status=4xx") == ["3"])
        #expect(shown("?status=200") == ["1"])
        #expect(shown("?status=nonsense") == [])
        #expect(shown("?path=hello") == ["1"])
        #expect(shown("?platform=acme") == ["3", "1"])
        #expect(bench.send(.get, "/journal?status=4xx").text.contains("<option value=\"4xx\" selected>"))
    }

    @Test func `an entry of the journal has a page of its own, with its request and response`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(
            .post, "/acme/refuse?a='b'", body: #"{"b" : [1.50, {}, "x\"}"],"a":{"n":null}}"#,
            headers: ["X-Request-Id": "r", "Host": "acme.localhost:8420"])
        let id = try #require(
            bench.send(.get, "/journal").text.firstMatch(of: /href="(\/journal\/\d+)"/)?.output.1)

        let page = bench.send(.get, String(id))
        #expect(page.status == .ok)
        #expect(
            page.text.replacing("&quot;", with: "\"").contains(
                """
                <details open><summary><span class="name">"b"</span>: [</summary>
                <div class="inside">
                <div><span class="plain">1.50</span>,</div>
                <div>{},</div>
                <div><span class="string">"x\\"}"</span></div>
                </div>
                ],</details>
                """))
        #expect(
            page.text.replacing("&#39;", with: "'").contains(
                #"curl -X POST 'http://acme.localhost:8420/acme/refuse?a='\''b'\''' \"#))
        for unknown in ["/journal/99", "/journal/x"] {
            let missing = bench.send(.get, unknown)
            #expect(missing.status == .notFound && missing.text.contains("The journal has no entry"))
        }
    }

    @Test func `no command is offered for a body that the journal does not have as text`() throws {
        for (body, isOffered) in [
            ([0xFF, 0x00], false), (Array(repeating: 0x61, count: 20_000), false), ([0x61], true),
        ]
            as [([UInt8], Bool)]
        {
            let exchange = JournalEntry.Exchange(
                method: "POST", target: "/", status: 200, milliseconds: 1, requestHeaders: [:],
                responseHeaders: [:], requestBody: .init(body), responseBody: .init([]))
            #expect((ShellCommand(exchange, origin: "http://localhost") != nil) == isOffered)
        }
    }

    @Test func `a browser that is lost is told where it is`() throws {
        let bench = try ConsoleBench()
        let browser: Headers = ["Accept": "text/html,*/*;q=0.8"]

        let path = bench.send(.get, "/nowhere", headers: browser)
        #expect(path.status == .notFound && path.text.contains("<p>There is no page /nowhere.</p>"))
        let world = bench.send(.get, "/w/none/outbox", headers: browser)
        #expect(world.status == .notFound && world.text.contains("<h1>No such world</h1>"))
        #expect(world.text.contains("<meta name=\"understudy-base\" content=\"\">"))
        #expect(bench.send(.get, "/nowhere").detail(404).hasPrefix("Nothing answers at /nowhere"))
        #expect(bench.send(.get, "/w/none/outbox").detail(404).hasPrefix("There is no world"))
        #expect(
            bench.send(.get, "/_understudy/v1/none", headers: browser).detail(404).hasPrefix(
                "There is no call"))
    }

    @Test func `who wants no page gets none`() throws {
        let bench = try ConsoleBench()
        let console = Console(
            worlds: bench.worlds, info: ConsoleInfo(version: "1", platforms: [Acme.self]),
            web: WebFiles(read: ConsoleBench.file), access: ControlAccess(token: nil))
        func asked(_ accept: String?, _ method: Request.Method = .get) -> Request {
            var request = Request(method, "/nowhere")
            request.headers["Accept"] = accept
            return request
        }

        let page = try #require(console.lostPage(asked("text/html,application/xhtml+xml"), in: bench.world))
        #expect(page.status == .notFound)
        #expect(page.text.contains("<p>There is no page /nowhere.</p>"))
        #expect(console.lostPage(asked("*/*"), in: bench.world) == nil)
        #expect(console.lostPage(asked(nil), in: bench.world) == nil)
        #expect(console.lostPage(asked("text/html", .post), in: bench.world) == nil)
        #expect(console.worldlessPage(asked("application/json"), name: "x") == nil)
        let lost = try #require(console.worldlessPage(asked("text/html"), name: "<b>'; rm"))
        #expect(lost.status == .notFound)
        #expect(
            !lost.text.contains("<b><b>") && !lost.text.contains("curl"),
            "no command with a name that cannot be")
    }

    @Test func `who does not know the token does not learn which worlds there are`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"secret\"}")
        let console = Console(
            worlds: bench.worlds, info: ConsoleInfo(version: "1", platforms: []),
            web: WebFiles(read: ConsoleBench.file), access: ControlAccess(token: "t"))
        let asked = Request(.get, "/", headers: ["Accept": "text/html"])
        var known = asked
        known.headers["Cookie"] = "understudy_control=t"

        #expect(console.worldlessPage(asked, name: "x").map { $0.text.contains("secret") } == false)
        #expect(console.worldlessPage(known, name: "x").map { $0.text.contains("secret") } == true)
    }

    @Test func `a folder without a template still shows the pages`() throws {
        let bench = try ConsoleBench()
        let console = Console(
            worlds: bench.worlds, info: ConsoleInfo(version: "1", platforms: []), web: WebFiles { _ in nil },
            access: ControlAccess(token: nil))
        let page = console.render(
            Page(title: "T", main: "<p>\("<")</p>"), Request(.get, "/"), in: bench.world)
        #expect(page.text.contains("<p>&lt;</p>"))
    }
}
