import Dispatch
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct JournalTests {
    private struct List: Decodable {
        struct Entry: Decodable {
            struct Exchange: Decodable {
                let method, target: String
                let status: Int
                let duration: Double
                let requestHeaders, responseHeaders: [[String]]
                let requestBody, responseBody: String?
            }
            let id: Int
            let kind, at: String
            let platform, correlation, event, subject, explanation: String?
            let isBug: Bool
            let exchange: Exchange?
        }
        let entries: [Entry]
    }

    private func entries(_ response: Response) throws -> [List.Entry] { try response.json(List.self).entries }

    @Test func `a request is told with its answer, its events and the reason`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/refuse?why=1", headers: ["X-Request-Id": "r-1"])

        let found = try entries(bench.get("/journal"))
        #expect(found.map(\.id) == [2, 1])
        #expect(found.map(\.kind) == ["request", "event"])
        #expect(found.map(\.correlation) == ["r-1", "r-1"])
        #expect(found.map(\.platform) == ["acme", "acme"])
        #expect(found[0].explanation == "it was refused, because tests want a refusal")
        #expect(found[0].at == "2026-01-02T03:04:05.000Z")
        let exchange = try #require(found[0].exchange)
        #expect(exchange.method == "GET" && exchange.target == "/acme/refuse?why=1" && exchange.status == 403)
        #expect(exchange.requestHeaders.contains(["Host", "localhost:8420"]))
        #expect(exchange.requestBody == nil && exchange.responseBody == "no")
        #expect(found[1].event == "refusal prepared" && found[1].subject == "ada")
        #expect(!found[0].isBug && found[1].exchange == nil)
    }

    @Test func `pages of the journal lose nothing, and each entry has its address`() throws {
        let bench = try ConsoleBench()
        for number in 1...7 { _ = bench.send(.get, "/acme/hello?\(number)") }
        var seen: [Int] = []
        var query = "limit=3"
        while case let page = try entries(bench.get("/journal?" + query)).map(\.id), let last = page.last {
            seen += page
            query = "limit=3&before=\(last)"
        }
        #expect(seen == [7, 6, 5, 4, 3, 2, 1])
        #expect(bench.get("/journal/4").text.contains("/acme/hello?4"))
        #expect(bench.get("/journal/8").detail(404).hasPrefix("The journal has no entry 8."))
        #expect(bench.get("/journal/x").status == .badRequest)
    }

    private struct Archive: Decodable {
        struct Pair: Decodable, Equatable {
            let name, value: String
        }
        struct Entry: Decodable {
            struct Request: Decodable {
                let method, url: String
                let queryString: [Pair]
                let bodySize: Int
            }
            struct Response: Decodable {
                struct Content: Decodable {
                    let size: Int
                    let text: String?
                }
                let status: Int
                let statusText: String
                let content: Content
            }
            let startedDateTime: String
            let request: Request
            let response: Response
            let comment: String?
        }
        struct Log: Decodable {
            let version: String
            let entries: [Entry]
        }
        let log: Log
    }

    // Source: HTTP Archive 1.2.
    @Test func `requests leave as an HTTP archive, the oldest first`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/hello?name=Ada&x=")
        _ = bench.send(.get, "/acme/refuse")
        let log = try bench.get("/journal.har").json(Archive.self).log
        #expect(log.version == "1.2")
        #expect(log.entries.map(\.response.status) == [200, 403])
        #expect(log.entries[0].request.url == "http://localhost:8420/acme/hello?name=Ada&x=")
        #expect(
            log.entries[0].request.queryString == [
                .init(name: "name", value: "Ada"), .init(name: "x", value: ""),
            ])
        #expect(log.entries[0].response.content.text == "hello" && log.entries[0].response.content.size == 5)
        #expect(log.entries[1].response.statusText == "Forbidden")
        #expect(log.entries[1].comment == "it was refused, because tests want a refusal")
        #expect(try bench.get("/journal.har?refused=true").json(Archive.self).log.entries.count == 1)
    }

    @Test func `entries are chosen`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/hello")
        _ = bench.send(.get, "/acme/refuse", headers: ["X-Request-Id": "r-2"])
        _ = bench.send(.get, "/acme/lost")

        /// The status of the request, or 0 for an event.
        func chosen(_ query: String) throws -> [Int] {
            try entries(bench.get("/journal?" + query)).map { $0.exchange?.status ?? 0 }
        }
        #expect(try chosen("limit=10") == [404, 403, 0, 200])
        #expect(try chosen("status=403") == [403])
        #expect(try chosen("refused=true") == [404, 403])
        #expect(try chosen("refused=false") == [200])
        #expect(try chosen("q=TESTS+WANT") == [403])
        #expect(try chosen("q=HELLO") == [200])
        #expect(try chosen("q=refusal+prepared") == [0])
        #expect(try chosen("q=nobody+said+this") == [])
        #expect(try chosen("status=4xx") == [404, 403])
        #expect(try chosen("status=5xx") == [])
        #expect(try chosen("kind=event") == [0])
        #expect(try chosen("kind=request&limit=2") == [404, 403])
        #expect(try chosen("path=ello") == [200])
        #expect(try chosen("platform=acme&after=3") == [404])
        #expect(try chosen("platform=hanko") == [])
        #expect(try chosen("correlation=r-2") == [403, 0])
    }

    @Test func `an entry that is not there yet can be waited for`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/hello")
        DispatchQueue.global().async {
            // Whether the one comes before or after the waiting, it must be found.
            _ = bench.send(.get, "/acme/refuse")
        }

        #expect(
            try entries(bench.get("/journal?after=1&status=4xx&wait=60")).map { $0.exchange?.status } == [403]
        )
        #expect(bench.get("/journal?after=9").text == "{\"entries\":[]}")
    }

    @Test func `the journal is cleared`() throws {
        let bench = try ConsoleBench()
        _ = bench.send(.get, "/acme/hello")

        #expect(bench.delete("/journal").status == .noContent)
        #expect(bench.get("/journal").text == "{\"entries\":[]}")
    }

    @Test func `calls of the control API leave the journal alone`() throws {
        let bench = try ConsoleBench()
        _ = bench.get("/outbox")
        _ = bench.get("/codes")
        _ = bench.send(.get, "/outbox")
        #expect(bench.world.journal.entries().isEmpty)
    }
}

@Suite struct ArchiveTests {
    // Source: HTTP Archive 1.2, `cookies`: “expires: in ISO 8601”.
    @Test func `cookies of an answer are told with their attributes`() throws {
        let time = Date(timeIntervalSince1970: 1_767_323_045)
        let set = try #require(
            ArchivedCookie(
                "session=a=b; Path=/; Domain=example.com; Max-Age=60; HttpOnly; Secure; SameSite=Lax",
                at: time))
        #expect((set.name, set.value) == ("session", "a=b"))
        #expect((set.path, set.domain, set.sameSite) == ("/", "example.com", "Lax"))
        #expect(set.httpOnly && set.secure && set.expires == "2026-01-02T03:05:05.000Z")
        let plain = try #require(ArchivedCookie("theme=", at: time))
        #expect(plain.value.isEmpty && plain.path == nil && !plain.secure && plain.expires == nil)
        #expect(ArchivedCookie("; Path=/", at: time) == nil)
    }
}
