import Essentials
import HTTP
import TestKit
import Testing

@testable import PlatformKit

@Suite struct CallGateTests {
    private static let only = ["https://backend.example/hooks", "http://127.0.0.1:9000"]

    @Test(arguments: [
        "https://backend.example/hooks", "https://backend.example/hooks?id=1",
        "https://backend.example/hooks/a/b",
        "HTTPS://Backend.Example:443/hooks#top", "http://127.0.0.1:9000",
        "http://127.0.0.1:9000/anything/../else",
    ])
    func `what is named, and what is below it, may be called`(_ url: String) throws {
        try CallGate(CallsFixture(only: Self.only).checked()).admit(url)
    }

    @Test(arguments: [
        "https://backend.example", "https://backend.example/", "https://backend.example/hooksmith",
        "https://backend.example/other?path=/hooks", "https://backend.example/hooks/../admin",
        "https://backend.example/hooks/%2e%2E/admin", "https://backend.example/hooks/.%2e/admin",
        "https://backend.example?/hooks", "https://backend.example#/hooks",
        "http://backend.example/hooks", "https://backend.example:8443/hooks",
        "https://backend.example.evil/hooks",
        "http://127.0.0.1/", "http://localhost:9000/",
    ])
    func `everything else is held back`(_ url: String) throws {
        let gate = CallGate(try CallsFixture(only: Self.only).checked())
        #expect(throws: CallHeldBack.self) { try gate.admit(url) }
    }

    @Test func `an empty list holds back every call, and what had no answer is counted`() throws {
        let gate = CallGate(nil)
        try gate.admit("https://anybody.example/")
        gate.noteUnanswered("https://anybody.example/hooks?id=1")
        #expect(gate.unanswered.count == 1 && gate.unanswered.last == "https://anybody.example")

        gate.replace(with: CallsFixture(only: []))
        #expect(throws: CallHeldBack.self) { try gate.admit("https://anybody.example/") }
        gate.noteUnanswered("no address")
        #expect(gate.unanswered.count == 2 && gate.unanswered.last == nil)
    }

    @Test func `a callback that is held back is told once, and the platform hears of no outcome`() throws {
        let fixtures = #"{"calls": {"only": ["https://backend.example/hooks/"]}}"#
        let bench = try TestBench(Acme.self, fixtures: fixtures)
        _ = bench.send(.post, "/acme/call", body: Array("http://127.0.0.1:1/hook".utf8))

        let told = bench.world.journal.entries(Journal.Query()).filter { $0.event != nil }
        #expect(told.map(\.event) == ["callback held back"])
        #expect(
            told.first?.explanation
                == "The callback POST http://127.0.0.1:1/hook, greeting, is not made: this world calls only https://backend.example/hooks (calls.only of its fixtures)."
        )
    }

    @Test func `the limit is exported, and goes with other fixtures`() throws {
        let bench = try TestBench(Acme.self, fixtures: #"{"calls": {"only": ["HTTPS://Backend.Example/"]}}"#)
        #expect(bench.world.calls == CallsFixture(only: ["https://backend.example"]))

        let exported = try bench.worlds.export(bench.world)
        #expect(String(decoding: exported, as: UTF8.self).contains("\"https://backend.example\""))
        try bench.worlds.load(FixtureSet(text: Array("{}".utf8), file: "empty"), into: bench.world)
        #expect(bench.world.calls == nil)
        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
        #expect(bench.world.calls == CallsFixture(only: ["https://backend.example"]))
    }

    @Test func `a world may call itself beside as many addresses as fixtures may name`() throws {
        let bench = try TestBench(Acme.self)
        let most = (1...100).map { "https://\($0).example" }
        try bench.world.limitCalls(to: CallsFixture(only: most + ["http://127.0.0.1:8480"]))
        #expect(bench.world.calls?.only.count == 101)

        let section = JSONValue.object([
            "calls": ["only": .array((most + ["https://a.example"]).map { .string($0) })]
        ])
        let file = try FixtureSet(text: section.bytes, file: "my.json")
        let error = #expect(throws: FixtureError.self) { try bench.worlds.load(file, into: bench.world) }
        #expect(error.map { "\($0)".contains("expected at most 100 addresses, found 101") } == true)
    }

    @Test(arguments: [
        (#"{"only": ["ftp://a.example"]}"#, "my.json:1:21: calls.only[0]: expected an http or https URL"),
        (
            #"{"only": ["https://a.example", "https://a.example?x"]}"#,
            "my.json:1:42: calls.only[1]: expected an http"
        ),
        (#"{}"#, "my.json:1:11: calls: the member “only” is missing"),
    ])
    func `what is no address is refused with its place`(_ section: String, _ says: String) throws {
        let file = try FixtureSet(text: Array("{\"calls\": \(section)}".utf8), file: "my.json")
        let bench = try TestBench(Acme.self)
        let error = #expect(throws: FixtureError.self) { try bench.worlds.load(file, into: bench.world) }
        #expect(error.map { "\($0)".hasPrefix(says) } == true, "\(error.map { "\($0)" } ?? "")")
    }
}
