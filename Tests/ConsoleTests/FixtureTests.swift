import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Console

@Suite struct FixtureTests {
    private static let people = """
        {"people": [{"id": "ada", "name": "Ada", "email": "ada@example.com", "story": "Fresh."}]}
        """

    @Test func `what is exported is loaded again`() throws {
        let bench = try ConsoleBench(fixtures: Self.people)
        let exported = bench.get("/fixtures")
        _ = bench.post("/worlds", "{\"name\": \"other\", \"fixtures\": {}}")

        let loaded = bench.send(
            .put, "/w/other/_understudy/v1/fixtures", body: exported.text,
            headers: ["Content-Type": "application/json; charset=utf-8"])
        #expect(loaded.status == .noContent)
        let again = bench.send(.get, "/w/other/_understudy/v1/fixtures")
        #expect(again.text == exported.text)
        #expect(again.text.contains("ada@example.com"))
    }

    @Test func `fixtures replace everything`() throws {
        let bench = try ConsoleBench(fixtures: Self.people)
        try bench.deliver("1")

        #expect(bench.put("/fixtures", "{/* nobody */}").status == .noContent)
        #expect(try bench.world.people.all().isEmpty)
        #expect(bench.get("/outbox").text == "{\"messages\":[]}")
        #expect(bench.world.journal.entries().map(\.event) == ["fixtures loaded"])
    }

    @Test(
        arguments: [
            ("{\"people\": [\n  {\"id\": 7}]}", "request body:2:10: people[0].id: "),
            ("{\"peeple\": []}", "request body:1:2: peeple: unknown section"),
            ("{\"people\": ", "request body:1:"), ("[]", "request body:1:1: expected an object"),
            ("", "request body:1:1: "),
        ])
    func `faulty fixtures change nothing and are placed`(_ body: String, _ place: String) throws {
        let bench = try ConsoleBench(fixtures: Self.people)
        try bench.deliver("1")

        #expect(bench.put("/fixtures", body).detail(422).contains("nothing was changed: " + place))
        #expect(try bench.world.people.all().map(\.id) == ["ada"])
        #expect(bench.get("/outbox/1").status == .ok)
    }
}
