import Dispatch
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

extension Acme: CountsRefusals {
    /// Somebody else writes notes while a request waits for them.
    static let changedByRefusals = ["acme.notes"]
}

/// An answer that comes late is finished like an early one.
@Suite struct LateAnswerTests {
    private func write(_ id: String, on bench: TestBench<Acme>) throws {
        try bench.world.database.write {
            try $0.execute("INSERT INTO acme_note VALUES (\(id), 'hello', 0)")
        }
        bench.world.services.changes.ring(about: [id])
    }

    /// Answers to the same request: one whose note is there, and one that has waited for it.
    private func both(_ id: String, headers: Headers) throws -> (
        early: Response, late: Response, bench: TestBench<Acme>
    ) {
        let early = try TestBench(Acme.self)
        try write(id, on: early)
        let bench = try TestBench(Acme.self)
        DispatchQueue(label: "writer").async {
            while !bench.world.services.changes.isWatched {}
            #expect(throws: Never.self) { try write(id, on: bench) }
        }
        return (
            early.get("/acme/await/\(id)?wait", headers: headers),
            bench.get("/acme/await/\(id)?wait", headers: headers),
            bench
        )
    }

    @Test func `it has the fields, the origin rules and the journal entry of an early one`() throws {
        let (early, late, bench) = try both(
            "a", headers: ["X-Request-Id": "me-1", "Origin": "http://page.example"])

        #expect(late.text == "hello")
        #expect(late.headers == early.headers)
        #expect(late.headers["X-Request-Id"] == "me-1")
        #expect(late.headers["Access-Control-Allow-Origin"] == "http://page.example")
        #expect(late.headers["X-Content-Type-Options"] == "nosniff")
        #expect(bench.journal.count == 1)
        let exchange = try #require(bench.journal.first?.exchange)
        #expect(exchange.status == 200)
        #expect(exchange.responseBody.text == "hello")
        #expect(bench.journal.first?.correlation == "me-1")
    }

    @Test func `its error is mapped, explained and told as a bug like an early one`() throws {
        let (early, late, bench) = try both("broken", headers: ["X-Request-Id": "me-2"])

        #expect(late.status == .internalServerError)
        #expect(late.text == early.text)
        #expect(late.headers == early.headers)
        #expect(bench.journal.map(\.isBug) == [true])
        #expect(bench.reports.lines.count == 1)
    }

    @Test func `the end of the world is an answer`() throws {
        let bench = try TestBench(Acme.self)
        DispatchQueue(label: "end").async {
            while !bench.world.services.changes.isWatched {}
            bench.worlds.close()
        }
        let response = bench.get("/acme/await/a?wait")

        #expect(response.status == .notFound)
        #expect(bench.explanation == "There is no note \"a\".")
    }

    @Test func `its milliseconds are those that the client has waited`() throws {
        let bench = try TestBench(Acme.self)
        let begun = ContinuousClock.now
        let writer = DispatchQueue(label: "writer")
        writer.async {
            while !bench.world.services.changes.isWatched {}
            writer.asyncAfter(deadline: .now() + 0.05) {
                #expect(throws: Never.self) { try write("a", on: bench) }
            }
        }
        _ = bench.get("/acme/await/a?wait")
        let waited = begun.duration(to: .now) / .milliseconds(1)

        let told = try #require(bench.journal.first?.exchange?.milliseconds)
        #expect(told >= 45 && told <= waited)
    }

    @Test func `a world in which somebody waits is not dropped`() throws {
        let bench = try TestBench(Acme.self)
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)
        let blue = try #require(try bench.worlds.world("blue"))
        let stop = blue.services.changes.occasion(about: "a").listen {}
        bench.time.advance(seconds: 7200)
        _ = bench.get("/acme/where")
        #expect(bench.worlds.names.contains("blue"))
        stop()
        bench.time.advance(seconds: 7200)
        _ = bench.get("/acme/where")
        #expect(!bench.worlds.names.contains("blue"))
    }
}
