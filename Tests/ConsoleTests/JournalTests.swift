import Dispatch
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
