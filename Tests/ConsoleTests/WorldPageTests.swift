import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

/// The pages about worlds, time and snapshots, and what the header of every page says of them.
@Suite struct WorldPageTests {
    private static func post(_ bench: ConsoleBench, _ path: String, _ form: String) -> Response {
        bench.send(
            .post, path, body: form,
            headers: [
                "Content-Type": "application/x-www-form-urlencoded", "Origin": "http://localhost:8420",
                "Sec-Fetch-Site": "same-origin",
            ])
    }

    private static func names(_ page: Response) -> [String] {
        page.text.matches(of: /world-row" data-id="([^"]+)"/).map { String($0.output.1) }
    }

    @Test func `the menu of each page leads to the same page of the other worlds`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")

        for (path, section) in [
            ("/outbox", "/outbox"), ("/journal?status=4xx", "/journal"), ("/outbox/9", "/outbox"),
            ("/time", "/time"), ("/acme-is-no-page", "/"),
        ] {
            let text = bench.send(.get, path, headers: ["Accept": "text/html"]).text
            #expect(text.contains("<a href=\"\(section)\" aria-current=\"true\">default</a>"), "\(path)")
            #expect(text.contains("<a href=\"/w/blue\(section)\">blue</a>"), "\(path)")
        }
        let inside = bench.send(.get, "/w/blue/outbox").text
        #expect(inside.contains("<a href=\"/w/blue/outbox\" aria-current=\"true\">blue</a>"))
        #expect(inside.contains("<a href=\"/outbox\">default</a>"))
    }

    @Test func `who has no token does not learn which worlds there are`() throws {
        let bench = try ConsoleBench(token: "secret")
        _ = bench.post("/worlds", "{\"name\": \"blue\"}", headers: ["Authorization": "Bearer secret"])

        let page = bench.send(.get, "/worlds")
        #expect(page.status == .unauthorized)
        #expect(!page.text.contains("blue") && !page.text.contains("world-menu"))
        #expect(Self.post(bench, "/worlds", "action=delete&name=blue&sure=yes").status == .unauthorized)
        #expect(bench.worlds.names == ["blue", "default"])
    }

    @Test func `a world is made, reset and deleted by forms, and what cannot be undone is asked back`() throws
    {
        let bench = try ConsoleBench()

        let made = Self.post(bench, "/worlds", "action=create&name=blue&from=&page=%2Foutbox")
        #expect(made.status == .seeOther && made.headers["Location"] == "/w/blue/outbox")
        let taken = Self.post(bench, "/worlds", "action=create&name=blue&from=")
        #expect(taken.status == .conflict && taken.text.contains("role=\"alert\""))
        #expect(Self.names(bench.send(.get, "/worlds")) == ["blue", "default"])

        try bench.deliver("1")
        let asked = Self.post(bench, "/worlds", "action=reset&name=default&page=%2Fjournal")
        #expect(asked.status == .ok && asked.text.contains("Reset world: are you sure?"))
        #expect(try bench.world.outbox.messages(.init()).count == 1)
        let reset = Self.post(bench, "/worlds", "action=reset&name=default&page=%2Fjournal&sure=yes")
        #expect(reset.headers["Location"] == "/journal")
        #expect(try bench.world.outbox.messages(.init()).isEmpty)

        #expect(Self.post(bench, "/w/blue/worlds", "action=delete&name=blue").text.contains("are you sure?"))
        let gone = Self.post(bench, "/w/blue/worlds", "action=delete&name=blue&sure=yes&page=%2Foutbox")
        #expect(gone.headers["Location"] == "/outbox", "its own world is no more")
        #expect(bench.worlds.names == ["default"])
        let kept = Self.post(bench, "/worlds", "action=delete&name=default&sure=yes")
        #expect(kept.status == .conflict && kept.text.contains("role=\"alert\""))
        #expect(Self.post(bench, "/worlds", "action=create&name=BAD").status == .badRequest)
        #expect(Self.post(bench, "/worlds", "action=create&fixtures=%7B").status == .unprocessableContent)
        #expect(Self.post(bench, "/worlds", "action=dance").status == .conflict)
    }

    @Test func `the page leads nowhere but to pages of ours`() throws {
        let bench = try ConsoleBench()
        for page in ["//evil.example", "https://evil.example", "/..//evil.example", "/acme/hello"] {
            let done = Self.post(bench, "/time", "action=freeze&page=\(page.percentEncoded)")
            #expect(done.headers["Location"] == "/", "\(page)")
        }
    }

    @Test func `the list is filtered by name, and so is the menu of its page`() throws {
        let bench = try ConsoleBench()
        for name in ["blue-1", "blue-2", "red"] { _ = bench.post("/worlds", "{\"name\": \"\(name)\"}") }

        let page = bench.send(.get, "/worlds?q=blue&page=/outbox")
        #expect(Set(Self.names(page)) == ["blue-1", "blue-2"])
        #expect(page.text.contains("<li><a href=\"/w/blue-1/outbox\">blue-1</a></li>"))
        #expect(!page.text.contains("/w/red/"))
        #expect(page.text.contains("2 worlds."))
    }

    @Test func `a clock that is moved or stands still is told on every page`() throws {
        let bench = try ConsoleBench()
        func badge(_ path: String = "/outbox") -> Substring? {
            bench.send(.get, path).text.firstMatch(of: /<form class="shift"[^>]*>/)?.output
        }
        func words() -> String {
            String(
                bench.send(.get, "/journal").text.firstMatch(of: /clock: <\/span><b>([^<]*)<\/b>/)?.output.1
                    ?? "")
        }
        #expect(badge()?.contains("hidden") == true)

        #expect(Self.post(bench, "/time", "action=step&span=1d2h3m").headers["Location"] == "/time")
        #expect(badge()?.contains("hidden") == false && words() == "+1 day 2 h")
        #expect(bench.get("/clock").fields["shift"] == "+1 day 2 h")
        #expect(bench.get("/clock").fields["offsetSeconds"] == "93780")
        _ = Self.post(bench, "/time", "action=freeze")
        #expect(words() == "frozen")
        let back = Self.post(bench, "/time", "action=real&page=%2Fjournal")
        #expect(back.status == .seeOther && back.headers["Location"] == "/journal")
        #expect(badge("/journal")?.contains("hidden") == true && bench.get("/clock").fields["shift"] == nil)
        _ = Self.post(bench, "/time", "action=set&at=2025-12-31+23:59")
        #expect(bench.get("/clock").fields["now"] == "2025-12-31T23:59:00.000Z")
        #expect(words() == "−1 day 3 h")

        for form in ["action=step&span=soon", "action=set&at=tomorrow", "action=step&span=1000000d"] {
            let refused = Self.post(bench, "/time", form)
            #expect(refused.status == .badRequest && refused.text.contains("role=\"alert\""), "\(form)")
        }
        #expect(words() == "−1 day 3 h", "what is refused moves nothing")
        let span = Self.post(bench, "/time", "action=step&span=%3Cb%3E+soon").text
        #expect(span.contains("<input name=\"span\" value=\"&lt;b&gt; soon\""))
        #expect(span.contains("<input name=\"at\" value=\"\""))
        let moment = Self.post(bench, "/time", "action=set&at=next+week").text
        #expect(moment.contains("<input name=\"at\" value=\"next week\""))
        #expect(moment.contains("but is “next week”"))
        let snapshot = Self.post(bench, "/snapshots", "action=take&name=Logged+in").text
        #expect(snapshot.contains("<input name=\"name\" value=\"Logged in\""))
    }

    @Test func `the clock jumps to just after what expires next`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("394857")

        let page = bench.send(.get, "/time").text
        #expect(page.contains("Code or link in the outbox") && page.contains("ada@example.com"))
        let end = try #require(page.firstMatch(of: /name="at" value="([^"]+)"/)?.output.1)
        #expect(end == "2026-01-02T03:09:05.000Z")
        _ = Self.post(bench, "/time", "action=jump&at=\(end)&page=%2Ftime")
        #expect(bench.get("/clock").fields["now"] == "2026-01-02T03:09:06.000Z")
        #expect(bench.send(.get, "/time").text.contains("Nothing is about to expire."))
    }

    @Test func `a world like another one goes on from where that is`() throws {
        let bench = try ConsoleBench()
        try bench.deliver("394857")

        let made = Self.post(bench, "/worlds", "action=copy&name=default&page=%2Foutbox")
        #expect(made.status == .seeOther)
        let address = try #require(made.headers["Location"])
        #expect(address.hasPrefix("/w/") && address.hasSuffix("/outbox"))
        #expect(bench.send(.get, address).text.contains("394857"))
        _ = bench.send(.delete, address.replacing("/outbox", with: ConsoleBench.root + "/outbox"))
        #expect(try bench.world.outbox.messages(.init()).count == 1)
        #expect(Self.post(bench, "/worlds", "action=copy&name=nowhere").status == .notFound)
    }

    @Test func `snapshots are taken, gone back to, made worlds of and deleted`() throws {
        let bench = try ConsoleBench()
        func take(_ form: String) -> Response { Self.post(bench, "/snapshots", form) }

        #expect(take("action=take&name=fresh").headers["Location"] == "/snapshots")
        #expect(take("action=take&name=fresh").status == .conflict)
        try bench.deliver("394857")
        #expect(take("action=restore&name=fresh").text.contains("Restore fresh: are you sure?"))
        #expect(try bench.world.outbox.messages(.init()).count == 1)
        #expect(take("action=restore&name=fresh&sure=yes").status == .seeOther)
        #expect(try bench.world.outbox.messages(.init()).isEmpty)

        try bench.deliver("1")
        #expect(take("action=take&name=").status == .seeOther)
        let made = take("action=world&name=snapshot-1&new=copy")
        #expect(made.headers["Location"] == "/w/copy/")
        #expect(try bench.worlds.world("copy")?.outbox.messages(.init()).count == 1)
        let menu = bench.send(.get, "/outbox").text
        #expect(menu.contains("<option value=\"default/fresh\">Snapshot fresh of default</option>"))
        let ordered = Self.post(bench, "/worlds", "action=create&name=second&from=default%2Ffresh")
        #expect(ordered.headers["Location"] == "/w/second/")

        #expect(take("action=delete&name=fresh&sure=yes").status == .seeOther)
        #expect(take("action=delete&name=fresh&sure=yes").status == .notFound)
        #expect(bench.send(.get, "/snapshots").text.matches(of: /snapshot-row/).count == 1)
    }

    @Test(arguments: [
        (0, "0 s"), (59, "59 s"), (61, "1 min 1 s"), (7200, "2 h"), (86_400, "1 day"),
        (180_000, "2 days 2 h"),
        (365 * 86_400, "1 year"), (20_779 * 86_400, "56 years 339 days"),
    ])
    func `a span is told in its two largest units`(_ seconds: Int, _ words: String) {
        #expect(ClockWords.span(seconds) == words)
    }
}
