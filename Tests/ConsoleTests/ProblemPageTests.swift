import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

/// What is refused outside of the platforms is a page for a browser, and JSON for programs. Sources: RFC 9110 §12.5.1, RFC 9457.
struct ProblemPageTests {
    private static let browser: Headers = [
        "Accept": "text/html,application/xhtml+xml,*/*;q=0.8", "Host": "localhost:8420",
    ]

    private let bench: ConsoleBench

    init() throws { bench = try ConsoleBench() }

    private func expectPage(_ response: Response, _ status: Status, _ words: String) {
        #expect(response.status == status)
        #expect(response.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(response.text.contains("data-page=\"problem\"") && response.text.contains(words))
        #expect(response.headers["Content-Security-Policy"] != nil)
    }

    private func tooLarge(_ path: String, _ headers: Headers) -> Response {
        var request = Request(.post, path, headers: headers)
        request.fault = WireFault(.contentTooLarge, "the body is larger than the 4096 bytes accepted here")
        return bench.send(request)
    }

    @Test func `a form over its limit is a page that says so, and where what was typed is`() {
        let sentence = "The body is larger than the 4096 bytes accepted here."
        let page = tooLarge("/time", Self.browser)
        expectPage(page, .contentTooLarge, sentence)
        #expect(page.text.contains("Nothing was changed."))
        #expect(page.explanation == sentence, "for the log of the program")
        #expect(tooLarge("/time", ["Host": "localhost:8420"]).detail(.contentTooLarge) == sentence)
    }

    @Test func `a query that cannot be read is a page`() {
        let path = "/journal?q=" + String(repeating: "x", count: 2000)
        expectPage(bench.send(.get, path, headers: Self.browser), .badRequest, "“q”")
        #expect(bench.send(.get, path).detail(.badRequest).contains("“q”"))
    }

    @Test func `a page that takes no form says so`() {
        let page = bench.send(.post, "/journal", headers: Self.browser)
        expectPage(page, .methodNotAllowed, "does not accept POST")
        #expect(bench.send(.post, "/journal").detail(.methodNotAllowed).contains("does not accept POST"))
    }

    @Test func `a name that is not ours is a page`() {
        var headers = Self.browser
        headers["Host"] = "evil.example"
        expectPage(
            bench.send(.get, "/", headers: headers), .misdirectedRequest, "--allow-host evil.example")
        #expect(
            bench.send(.get, "/", headers: ["Host": "evil.example"]).detail(.misdirectedRequest).contains(
                "--allow-host"))
    }

    @Test func `a page that needs more memory than there is says so`() throws {
        let none = WorkMemory(most: 10, reserve: { _ in false }, giveBack: { _ in })
        let bench = try ConsoleBench(work: none)
        let path = "/_understudy/v1/fixtures"
        #expect(bench.send(.get, path).status == .insufficientStorage, "the API is for programs")
        #expect(
            bench.send(.get, path, headers: Self.browser).headers["Content-Type"]
                == "application/problem+json")
    }
}
