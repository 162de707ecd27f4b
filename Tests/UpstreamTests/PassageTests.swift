import HTTP
import Testing

@testable import Upstream

/// What a request and an answer are on the other side.
struct PassageTests {
    private let passage: Passage

    init() throws {
        passage = Passage(
            ours: "http://localhost:8420/hanko", to: try Upstream(url: "https://tenant.example"), others: [],
            via: "understudy-1")
    }

    private func ours(_ name: String, _ value: String) -> String? { passage.ours([name: value])[name] }

    private func question(_ headers: Headers, at path: String = "/a") throws -> Passage.Question {
        try passage.question(Request(.get, "/hanko" + path, headers: headers), at: path)
    }

    // RFC 3986 §4.2: a path from the root, and an address that takes over the scheme of the page.
    @Test(arguments: [
        ("Location", "/login", "/hanko/login"),
        ("Location", "//tenant.example/login", "//localhost:8420/hanko/login"),
        ("Location", "//tenant.example.evil/login", "//tenant.example.evil/login"),
        (
            "Link", #"</next?page=2>; rel="next", <https://tenant.example/last>; rel="last""#,
            #"</hanko/next?page=2>; rel="next", <http://localhost:8420/hanko/last>; rel="last""#
        ),
        ("Link", "<https://other.example/a>; rel=next", "<https://other.example/a>; rel=next"),
        ("Refresh", "0; url=/login", "0; url=/hanko/login"),
        ("Refresh", "5;URL='https://tenant.example/a'", "5;URL='http://localhost:8420/hanko/a'"),
        ("Refresh", "5", "5"),
        (
            "Content-Security-Policy",
            "connect-src 'self' wss://tenant.example; img-src https://tenant.example",
            "connect-src 'self' ws://localhost:8420; img-src http://localhost:8420"
        ),
    ])
    func `addresses of an answer's fields lead to us`(name: String, theirs: String, here: String) {
        #expect(ours(name, theirs) == here)
    }

    // RFC 9110 §7.6.3: a gateway appends itself.
    @Test func `who is on the way is told, so that a loop over others is found`() throws {
        #expect(try question(["Via": "1.0 fred"]).headers["Via"] == "1.0 fred, 1.1 understudy-1")
        #expect(throws: UpstreamFailure.self) { try question(["Via": "1.1 understudy-1, 1.1 other"]) }
    }

    // RFC 9110 §14.2: a server may ignore Range; parts of a text would not be those of the text with our addresses.
    @Test func `no part of a body is asked for`() throws {
        let asked = try question(["Range": "bytes=60-", "If-Range": "\"v1\"", "If-Match": "\"v1\""]).headers
        #expect(asked["Range"] == nil && asked["If-Range"] == nil && asked["If-Match"] == "\"v1\"")
        #expect(ours("Accept-Ranges", "bytes") == nil)
    }

    @Test func `a mount without a path is the service's base without one`() throws {
        #expect(try question([:], at: "").url == "https://tenant.example/")
        let based = Passage(
            ours: "http://localhost:8420/hanko", to: try Upstream(url: "https://tenant.example/base"),
            others: [], via: "v")
        let request = Request(.get, "/hanko", headers: [:])
        #expect(try based.question(request, at: "").url == "https://tenant.example/base")
        #expect(try based.question(request, at: "//a//b/").url == "https://tenant.example/base//a//b/")
    }

    @Test func `links of a page keep its charset, and may take over its scheme`() {
        let page = Array("<a href=\"/caf".utf8) + [0xE9] + Array("?q=1\"><a href='//tenant.example/x'>".utf8)
        let made = passage.ours(page, ["Content-Type": "text/html; charset=iso-8859-1"])
        let expected =
            Array("<a href=\"/hanko/caf".utf8) + [0xE9]
            + Array("?q=1\"><a href='//localhost:8420/hanko/x'>".utf8)
        #expect(made == expected)
    }
}
