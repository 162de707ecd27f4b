import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

/// Small things that readers stumbled over.
@Suite struct DetailTests {
    private static let token = "0123456789abcdef0123456789abcdef"

    @Test func `the mail of a link shows the link, not the secret in it`() throws {
        let bench = try ConsoleBench()
        try bench.deliver(Self.token, link: "http://localhost:8420/acme/confirm?code=" + Self.token)

        for path in ["/", "/outbox", "/outbox/1"] {
            let text = bench.send(.get, path).text
            #expect(!text.contains(">" + Self.token + "</code>"), "\(path)")
            #expect(
                text.contains(
                    "<a class=\"link\" href=\"http://localhost:8420/acme/confirm?code=\(Self.token)\""),
                "\(path)")
        }
        #expect(bench.get("/codes?to=ada@example.com").fields["code"] == Self.token, "tests get it as ever")
        try bench.deliver("394857", link: "http://localhost:8420/acme/confirm?code=394857")
        #expect(bench.send(.get, "/outbox").text.contains(">394857</code>"))
    }

    @Test func `long secrets in paths are shortened in lists, and whole on the page of the entry`() throws {
        let bench = try ConsoleBench()
        let long = String(repeating: Self.token, count: 8)
        _ = bench.send(.get, "/acme/hello?mpin_id=" + long)

        let text = bench.send(.get, "/journal").text
        #expect(text.contains(">/acme/hello?mpin_id=0123456789…abcdef</a>"))
        #expect(bench.send(.get, "/journal/1").text.contains("GET /acme/hello?mpin_id=" + long))
    }

    @Test func `a state stands once in the filter, however platforms spell it, and finds them all`() {
        let spelled = ["ACTIVE", "active", "PENDING_COMMIT", "pending commit"].map { state in
            ConsoleRecord(
                id: state, platform: "acme", kind: "device", title: state, user: nil, state: state,
                createdAt: ManualTime().now)
        }
        var query = RecordQuery()
        query.state = "pending commit"
        #expect(query.chosen(from: spelled).map(\.id) == ["PENDING_COMMIT", "pending commit"])
        query.state = "ACTIVE"
        #expect(query.chosen(from: spelled).map(\.id) == ["ACTIVE", "active"])
    }

    @Test func `scripts are told the fraction of a second at which something expires`() {
        #expect(HTML.time("2026-03-04T10:15:00.900Z").text.contains("datetime=\"2026-03-04T10:15:00.900Z\""))
        #expect(HTML.time("2026-03-04T10:15:00.000Z").text.contains("datetime=\"2026-03-04T10:15:00Z\""))
    }

    @Test func `the base address of a platform answers a browser with a page, and a client as ever`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        let browser: Headers = ["Accept": "text/html,application/xhtml+xml"]

        for path in ["/acme", "/acme/", "/w/blue/acme"] {
            let page = bench.send(.get, path, headers: browser)
            #expect(page.status == .ok && page.text.contains("<h1>Acme</h1>"), "\(path)")
            #expect(bench.send(.get, path).status == .notFound, "\(path)")
            let json: Headers = ["Accept": "application/json"]
            #expect(bench.send(.get, path, headers: json).status == .notFound, "\(path)")
            // As curl asks; the platform has pages for people.
            #expect(bench.send(.get, path, headers: ["Accept": "*/*"]).status == .ok, "\(path)")
            #expect(bench.send(.post, path, headers: browser).status == .notFound, "\(path)")
        }
        #expect(
            bench.send(.get, "/w/blue/acme", headers: browser).text
                .contains("href=\"http://localhost:8420/w/blue/journal?platform=acme\""))
        #expect(bench.send(.get, "/acme/nowhere", headers: browser).status == .notFound)
        #expect(bench.send(.get, "/_understudy", headers: browser).text.contains("<h1>Control API</h1>"))
    }

    @Test func `there is an icon where browsers look for one`() throws {
        let bench = try ConsoleBench(token: "secret")
        let icon = bench.send(.get, "/favicon.ico")
        #expect(icon.status == .ok && icon.headers["Content-Type"] == "image/svg+xml")
    }

    @Test func `a callback that nobody waits for is taken`() throws {
        let bench = try ConsoleBench(token: "secret")
        #expect(bench.post("/callbacks", "{\"transaction_id\": \"1\"}").status == .noContent)
    }

    @Test func `an event that tells of a failure looks like one`() throws {
        let bench = try ConsoleBench()
        bench.world.services.journal.event("callback failed", "The callback failed.")
        bench.world.services.journal.event("callback sent", "The callback was sent.")
        let text = bench.send(.get, "/journal").text
        #expect(
            text.contains("<b class=\"failed\">callback failed</b>") && text.contains("<b>callback sent</b>"))
    }
}
