import HTTP
import Phone
import PlatformKit
import TestKit
import Testing

@testable import Console

/// The navigation of every page, and the search of everything.
@Suite struct SearchPageTests {
    private static func rail(_ page: Response) -> [String] {
        page.text.matches(of: /<li[^>]*><a href="([^"]*)"[^>]*>([^<]*)(?:<span class="count[^"]*">([^<]*)<)?/)
            .map {
                "\($0.output.1)|\($0.output.2)|\($0.output.3 ?? "")".replacing(" |", with: "|")
            }
    }

    @Test func `the rail says how much is there and what waits`() throws {
        let bench = try ConsoleBench()
        #expect(Self.rail(bench.send(.get, "/")).contains("/outbox|Outbox|"))

        try bench.deliver("394857")
        try bench.deliver("394858")
        try Acme(bench.world).ask("q1")
        try Acme(bench.world).ask("q2")
        _ = bench.send(.post, ConsoleBench.root + "/transactions/q2/deny")
        _ = bench.post("/phones", "{\"name\": \"ada\"}")
        _ = bench.post("/snapshots", "{\"name\": \"base\"}")
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        let rail = Self.rail(bench.send(.get, "/"))
        #expect(rail.contains("/outbox|Outbox|2"))
        #expect(rail.contains("/transactions|Waiting|1"))
        #expect(rail.contains("/phones|Phones|1"))
        #expect(rail.contains("/snapshots|Snapshots|1"))
        #expect(rail.contains("/worlds|Worlds|2"))
        #expect(rail.contains("/faults|Faults|"))
    }

    @Test func `every page of the rail is there, and is the one that is marked`() throws {
        let bench = try ConsoleBench()
        for place in SearchPage.pages where !place.path.hasPrefix("/_") {
            let page = bench.send(.get, place.path)
            #expect(page.status == .ok, "\(place.path)")
            let mark = "<a href=\"\(place.path)\" aria-current=\"page\">"
            #expect(page.text.contains(mark), "\(place.path)")
        }
    }

    @Test func `without words the search shows the pages and what can be done`() throws {
        let page = try ConsoleBench().send(.get, "/search")

        #expect(page.text.contains("<h2>Actions</h2>"))
        #expect(page.text.contains("<h2>Pages</h2>"))
        #expect(!page.text.contains("<h2>Messages</h2>"))
    }

    @Test(arguments: [
        ("394857", "/outbox/1"), ("LOVELACE", "/devices?q=ada%40example.com"),
        ("dev-77", "/devices/acme/dev-77"),
        ("q1", "/transactions/q1"), ("pixel", "/phones/pixel"), ("r-42", "/journal/"),
        ("clock%20exp", "/time"),
        ("mint", "/mint"),
    ])
    func `it finds what the console has`(_ words: String, _ path: String) throws {
        let bench = try ConsoleBench(
            fixtures: """
                {"people": [{"id": "ada", "name": "Ada Lovelace", "email": "ada@example.com", "story": "The first."}]}
                """)
        try bench.deliver("394857")
        try Acme(bench.world).hand("dev-77", to: "ada")
        try Acme(bench.world).ask("q1")
        try Phones(bench.world).add(Phone("pixel", owner: "ada", model: .android))
        _ = bench.send(.get, "/acme/hello", headers: ["X-Request-Id": "r-42"])

        let page = bench.send(.get, "/search?q=\(words)")
        #expect(page.status == .ok)
        #expect(page.text.contains("<a class=\"hit\" href=\"\(path)"), "\(page.text)")
    }

    @Test func `what loses something asks before, and what cannot be found is said`() throws {
        let bench = try ConsoleBench()

        let reset = bench.send(.get, "/search?q=reset").text
        #expect(
            reset.contains(
                "data-ask=\"Reset the world default? Its users, messages and journal will be lost.\""))
        let nothing = bench.send(.get, "/search?q=zzzzzz").text
        #expect(nothing.contains("<div class=\"empty\" id=\"search-nothing\">"))
        #expect(bench.send(.get, "/search?q=" + String(repeating: "a", count: 257)).status == .badRequest)
    }
}
