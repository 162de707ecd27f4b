import Essentials
import HTTP
import TestKit
import Testing

@testable import Console
@testable import PlatformKit

/// The markup of pages with a form, or one list, is what `Tests/Acceptance/console_fragments` says.
@Suite struct PageFragmentTests {
    private static func time(_ text: String) throws -> Date {
        try #require(Timestamp.parse("2026-03-04T\(text)Z"))
    }

    /// Without what a list of the program has: what can be chosen, and all but the first fact.
    private static func bare(_ html: HTML) -> HTML {
        let text = html.text.replacing(/<option[^>]*>[^<]*<\/option>/, with: "")
            .replacing(/(<dl class="facts">\n[^\n]*\n)(?:<div>[^\n]*\n)*/) { $0.output.1 }
        return HTML(template: text, [:])
    }

    @Test func `faults`() throws {
        var match = FaultMatch()
        (match.platform, match.method, match.path, match.to) = ("hanko", "POST", "/token", 2)
        var first = FaultRule("token-down", match, try #require(AnswerEffect("503")))
        first.struck = 2
        let second = FaultRule("drop-after", FaultMatch(), try #require(DropEffect("after")))
        let page = FaultsPage(
            base: "", world: "default", faults: [first, second], platforms: [Nameplate.self], refusal: nil,
            typed: nil)
        try FragmentTests.expect(Self.bare(page.html), is: "faults")
        let empty = FaultsPage(
            base: "", world: "default", faults: [], platforms: [Nameplate.self],
            refusal: "A value of “answer” looks like this: 503.",
            typed: FaultForm(Form("effect=answer&value=soon&user=ada")))
        try FragmentTests.expect(Self.bare(empty.html), is: "faults-empty")
    }

    @Test func `search`() throws {
        let page = SearchPage(
            base: "", words: "ada",
            groups: [
                .init(
                    "People and devices",
                    [.init("Ada Lovelace", "ada@example.com", path: "/devices?q=ada%40example.com")]),
                .init("Actions", SearchPage.actions("blue").filter { $0.question != nil }),
            ])
        try FragmentTests.expect(page.html, is: "search")
    }

    @Test func `worlds`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/worlds", "{\"name\": \"blue\"}")
        _ = bench.post("/snapshots", "{\"name\": \"logged-in\"}")
        bench.time.advance(seconds: 660)
        _ = bench.post("/clock/advance", "{\"seconds\": 10}")
        _ = bench.send(.get, "/acme/nowhere", headers: ["User-Agent": "Mozilla/5.0 (X11; Linux x86_64)"])
        let page = try FragmentTests.main(of: bench.send(.get, "/worlds"))
        // How much of the database a moved clock changes is not ours to say.
        let drawn = page.text.replacing(/\d+ kB/, with: "2 kB")
        try FragmentTests.expect(HTML(template: drawn, [:]), is: "worlds")
    }

    @Test func `compare`() throws {
        let page = ComparePage(
            base: "", state: .none, platforms: [Nameplate.self], refusal: nil, shown: "", flows: [],
            mounts: { _ in "" })
        try FragmentTests.expect(Self.bare(page.html), is: "compare")
    }

    @Test func `time`() throws {
        let end = try Self.time("10:20:00")
        let page = TimePage(
            base: "", now: try Self.time("10:15:10"), clock: .init(offsetSeconds: 10),
            ends: [
                ("Outbox", Expiry(what: "code or link in the outbox", about: "ada@example.com", at: end)),
                ("Hanko", Expiry(what: "passcode", about: nil, at: end)),
            ], refusal: "The value of “span” must be a span such as 90s, 1h30m or -2d, but is “soon”.")
        try FragmentTests.expect(page.html, is: "time")
    }

    @Test func `snapshots`() throws {
        let bench = try ConsoleBench()
        _ = bench.post("/snapshots", "{\"name\": \"logged-in\"}")
        var list = try bench.worlds.snapshots(of: bench.world.name)
        list.damaged = [.init(name: "torn", reason: "its file ends too early")]
        let page = SnapshotsPage(
            base: "", world: "default", list: list, refusal: "There is a snapshot “logged-in” already.")
        try FragmentTests.expect(page.html, is: "snapshots")
    }

    @Test func `phones`() throws {
        let bench = try ConsoleBench()
        for phone in [#"{"name": "ada", "owner": "ada"}"#, #"{"name": "spare", "model": "android"}"#] {
            #expect(bench.post("/phones", phone).status == .created)
        }
        let page = bench.send(.get, "/phones?scan=acme:1234")
        try FragmentTests.expect(FragmentTests.main(of: page), is: "phones")
    }

    @Test func `audit logs`() throws {
        var line = AuditLine(
            at: try Self.time("10:15:41"), event: "login_failure", user: "ada@example.com", client: "portal",
            address: "192.168.1.7", facts: [("reason", "wrong passcode"), ("tries", "2")])
        line.platform = Nameplate.name
        let page = AuditPage(
            base: "", choice: .init(platform: "hanko", user: "", event: "login"), lines: [line],
            platforms: [Nameplate.self])
        try FragmentTests.expect(page.html, is: "audit")
        let empty = AuditPage(
            base: "", choice: .init(platform: "", user: "", event: ""), lines: [],
            platforms: [Nameplate.self])
        try FragmentTests.expect(empty.html, is: "audit-empty")
    }

    @Test func `the mint`() throws {
        let bench = try ConsoleBench()
        func mint(_ form: String) throws -> HTML {
            let page = bench.send(
                .post, "/mint", body: form,
                headers: [
                    "Content-Type": "application/x-www-form-urlencoded", "Sec-Fetch-Site": "same-origin",
                ])
            // What a token is made of has tests of its own.
            let text = try FragmentTests.main(of: page).text
                .replacing(/data-copy>ey[^<]*</, with: "data-copy>eyJ…<")
                .replacing(/tabindex="0">[^<]*</, with: "tabindex=\"0\">{…}<")
            return Self.bare(HTML(template: text, [:]))
        }
        try FragmentTests.expect(mint("kind=acme+ticket&user=ada&claims=level%3D3"), is: "mint")
        try FragmentTests.expect(mint("kind=acme+ticket&user=eve"), is: "mint-refused")
    }

    @Test func `the development CA`() throws {
        let page = AuthorityPage(
            name: "Understudy Development CA", fingerprint: "AB:CD", notAfter: "2036-03-04T10:15:00.000Z",
            here: "http://localhost:8420", lan: "http://192.168.1.5:8420")
        // How each client is brought to trust it is told in the same words by a command; the first is enough here.
        let parts = try page.html.text.replacing(
            /<div class="symbol">.*?<\/div>/.dotMatchesNewlines(), with: "{{SYMBOL}}"
        )
        .split(separator: "<section ").prefix(4).joined(separator: "<section ")
        try FragmentTests.expect(HTML(template: parts + "\n</div>", [:]), is: "ca")
        #expect(try page.html.text.matches(of: /<section\s/).count > 6)
    }

    @Test func `the control API`() throws {
        try FragmentTests.expect(
            FragmentTests.main(of: ConsoleBench().send(.get, "/_understudy")), is: "api")
    }
}
