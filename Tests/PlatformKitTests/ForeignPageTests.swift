import HTTP
import SQLite
import TestKit
import Testing

@testable import PlatformKit

/// Web pages of other sites. Sources: WHATWG Fetch, “append a request `Origin` header”; W3C Fetch Metadata §2.3.
@Suite struct ForeignPageTests {
    private let bench: TestBench<Acme>

    init() throws { bench = try TestBench(Acme.self) }

    private func add(_ headers: Headers) -> Response {
        bench.post("/acme/notes", raw: #"{"body": "a note"}"#, headers: headers)
    }

    private var count: Int {
        get throws {
            try bench.world.database.read { try $0.value(Int.self, "SELECT count(*) FROM acme_note") ?? 0 }
        }
    }

    @Test(
        arguments: [
            ["Origin": "http://other.example"], ["Origin": "null"], ["Origin": "http://localhost:3000"],
            ["Origin": "https://localhost:8420"], ["Sec-Fetch-Site": "cross-site"],
            ["Origin": "null", "Sec-Fetch-Site": "same-site"],
            ["Origin": "http://other.example", "Sec-Fetch-Site": "cross-site"],
        ] as [Headers])
    func `a page that no rule allows changes nothing, and the journal says which pages may`(
        _ headers: Headers
    )
        throws
    {
        let before = try count
        var headers = headers
        headers["Content-Type"] = "text/plain"

        let refused = add(headers)

        #expect(refused.status == .forbidden)
        #expect(refused.headers["Content-Type"] == "application/problem+json")
        let told = try #require(bench.explanation)
        #expect(told == refused.fields["detail"])
        #expect(told.contains("Only pages of http://localhost:8420, and those of http://page.example"))
        #expect(try count == before)
        #expect(bench.misshapenExplanations == [] && bench.reports.lines == [])
    }

    @Test(
        arguments: [
            [:], ["Origin": "http://page.example"], ["Origin": "http://localhost:8420"],
            ["Origin": "HTTP://LOCALHOST:8420"], ["Sec-Fetch-Site": "same-origin"],
            ["Sec-Fetch-Site": "none"], ["Origin": "null", "Sec-Fetch-Site": "same-origin"],
            // A development server that passes requests of its pages on.
            ["Origin": "http://localhost:5173", "Sec-Fetch-Site": "same-origin"],
        ] as [Headers])
    func `own pages, allowed ones and what is no browser go on`(_ headers: Headers) throws {
        let before = try count
        #expect(add(headers).status.code < 300)
        #expect(try count == before + 1)
    }

    @Test func `what only reads is answered to every page, which may not see it`() {
        let read = bench.get("/acme/where", headers: ["Origin": "http://other.example"])
        #expect(read.status == .ok && read.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test func `an exempt path is for no page of others, but for forms where it is said so`() throws {
        let policy = CrossOriginPolicy(
            allowedOrigins: ["*"], exemptPaths: ["/login", "/authorize", "/mails/*"],
            formPaths: ["/authorize"])
        let ask = { (path: String) in
            var request = Request(.post, path, headers: ["Origin": "http://other.example"])
            request.context.origin = "http://localhost:8420"
            try policy.refuseForeignChange(request)
        }

        try ask("/acme/authorize")
        try ask("/acme/token")
        #expect(throws: CrossOriginRefused.self) { try ask("/acme/login") }
        #expect(throws: CrossOriginRefused.self) { try ask("/acme/mails/7") }
        try ask("/acme/mails")
    }
}
