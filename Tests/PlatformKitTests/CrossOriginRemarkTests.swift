import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

/// What the journal tells of pages that a browser keeps from an answer. Source: WHATWG Fetch, “CORS protocol”.
@Suite struct CrossOriginRemarkTests {
    private static let page = "http://localhost:5173"

    private func bench(_ fixtures: String = "{}") throws -> TestBench<Acme> {
        try TestBench(Acme.self, fixtures: fixtures)
    }

    private func preflight(_ bench: TestBench<Acme>, from origin: String = page) -> Response {
        bench.send(
            .options, "/acme/notes",
            headers: [
                "Origin": origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "content-type",
            ])
    }

    @Test func `a preflight that grants nothing tells the origin, what is allowed and the line to paste`()
        throws
    {
        let bench = try bench()
        #expect(preflight(bench).headers["Access-Control-Allow-Origin"] == nil)

        let told = try #require(bench.explanation)
        #expect(told.contains("CORS") && told.contains("the page of http://localhost:5173"))
        #expect(told.contains("http://page.example"))
        #expect(told.contains(#""cors": {"origins": ["http://localhost:5173"]}"#))
        #expect(told.contains(#""cors": {"any_localhost_origin": true}"#))
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `an answer that the page may not read tells the same, with its own status`() throws {
        let bench = try bench()
        let read = bench.get("/acme/where", headers: ["Origin": Self.page])
        #expect(read.status == .ok)
        #expect(bench.explanation?.contains("CORS") == true)
        #expect(bench.explanation?.contains(#""cors": {"origins": ["http://localhost:5173"]}"#) == true)

        let refused = bench.get("/acme/notes/none", headers: ["Origin": Self.page])
        #expect(refused.status == .notFound)
        #expect(bench.explanation?.hasPrefix("There is no note \"none\". ") == true)
        #expect(bench.explanation?.contains("CORS") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a change that is refused tells the line to paste as well`() throws {
        let bench = try bench()
        let refused = bench.post("/acme/notes", raw: "{}", headers: ["Origin": Self.page])
        #expect(refused.status == .forbidden)
        #expect(bench.explanation?.contains(#""cors": {"origins": ["http://localhost:5173"]}"#) == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test(
        arguments: [
            [:], ["Origin": "http://page.example"], ["Origin": "http://localhost:8420"],
            ["Origin": "http://localhost:5173", "Sec-Fetch-Site": "same-origin"],
            ["Origin": "http://localhost:5173", "Sec-Fetch-Mode": "navigate"],
        ] as [Headers])
    func `where no browser blocks anything nothing is said`(_ headers: Headers) throws {
        let bench = try bench()
        #expect(bench.get("/acme/where", headers: headers).status == .ok)
        #expect(bench.journal.first { $0.kind == .request }?.explanation == nil)
    }

    @Test func `the section cors lets pages call every platform, beside its own rules`() throws {
        let bench = try bench(#"{"cors": {"origins": ["http://localhost:5173"]}}"#)
        let allowed = preflight(bench)
        #expect(allowed.headers["Access-Control-Allow-Origin"] == Self.page)
        #expect(allowed.headers["Access-Control-Allow-Headers"] == "content-type")
        #expect(bench.explanation == nil)
        #expect(preflight(bench, from: "http://page.example").headers["Access-Control-Allow-Origin"] != nil)
        #expect(preflight(bench, from: "http://localhost:5174").headers["Access-Control-Allow-Origin"] == nil)
        #expect(bench.post("/acme/notes", raw: "{}", headers: ["Origin": Self.page]).status == .created)
    }

    @Test(arguments: [
        ("http://localhost", true), ("https://localhost:5173", true), ("http://app.localhost:8080", true),
        ("http://127.0.0.1:3000", true), ("http://[::1]:3000", true), ("capacitor://localhost", true),
        ("http://localhost.evil.example", false), ("http://localhost:3000@evil.example", false),
        ("http://evil.example", false), ("null", false), ("http://127.0.0.1.evil.example", false),
    ])
    func `any_localhost_origin means pages of this machine, whatever their port`(
        _ origin: String, _ isAllowed: Bool
    ) throws {
        let bench = try bench(#"{"cors": {"any_localhost_origin": true}}"#)
        let granted = preflight(bench, from: origin).headers["Access-Control-Allow-Origin"]
        #expect(granted == (isAllowed ? origin : nil))
    }

    @Test(arguments: ["http://localhost:5173/", "localhost:5173", "*", "http://a b", "http://"])
    func `what is no origin is refused with its place`(_ text: String) throws {
        let error = #expect(throws: FixtureError.self) { try bench(#"{"cors": {"origins": ["\#(text)"]}}"#) }
        #expect(error?.field == "cors.origins[0]")
    }

    @Test func `an export brings the section again`() throws {
        let bench = try bench(#"{"cors": {"origins": ["http://a.test"], "any_localhost_origin": true}}"#)
        let text = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        let again = try JSONValue(parsing: Array(text.utf8))
        #expect(again["cors"] == ["origins": ["http://a.test"], "any_localhost_origin": true])
    }
}
