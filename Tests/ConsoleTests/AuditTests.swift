import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Console

@Suite struct AuditTests {
    private func bench() throws -> ConsoleBench {
        let bench = try ConsoleBench()
        try bench.world.database.write { db in
            try db.insert(AcmeEvent(at: ManualTime.start, what: "door_opened", whom: "ada"))
            try db.insert(AcmeEvent(at: ManualTime.start + 1, what: "door_closed", whom: "<eva>"))
            try db.insert(AcmeEvent(at: ManualTime.start + 2, what: "rang"))
        }
        return bench
    }

    private func events(_ response: Response) throws -> [String] {
        try #require(response.json(JSONValue.self)["audit"]?.array).compactMap { $0["event"]?.string }
    }

    @Test func `the log of a platform is told newest first, in the words that all logs have`() throws {
        let bench = try bench()

        let all = bench.get("/audit")
        #expect(try events(all) == ["rang", "door_closed", "door_opened"])
        let last = try #require(all.json(JSONValue.self)["audit"]?.array?.last)
        #expect(
            last == [
                "platform": "acme", "at": .string(Timestamp.text(ManualTime.start)), "event": "door_opened",
                "user": "ada", "facts": [["name": "door", "value": "front"]],
            ])
    }

    @Test func `lines are chosen by user, event, platform and number`() throws {
        let bench = try bench()

        #expect(try events(bench.get("/audit?user=ada")) == ["door_opened"])
        #expect(try events(bench.get("/audit?event=DOOR")) == ["door_closed", "door_opened"])
        #expect(try events(bench.get("/audit?platform=acme&limit=1")) == ["rang"])
        #expect(
            bench.get("/audit?platform=none").detail(400)
                == "The value of “platform” must be one of acme, but is “none”.")
    }

    @Test func `the page shows them, and what there is to see when there are none`() throws {
        let empty = try ConsoleBench().send(.get, "/audit").text
        #expect(empty.contains("No entries yet"))

        let bench = try bench()
        let page = bench.send(.get, "/audit?user=%3Ceva%3E").text
        #expect(page.contains("door_closed") && page.contains("&lt;eva&gt;") && !page.contains("door_opened"))
        #expect(page.contains("door front"))
        #expect(bench.send(.get, "/audit?event=nothing").text.contains("No matches"))
    }
}
