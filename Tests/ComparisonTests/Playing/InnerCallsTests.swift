import Essentials
import Testing

@testable import Comparison

/// Which requests of a recording the program itself made while it answered another one.
@Suite struct InnerCallsTests {
    /// In a world whose clock stands.
    private func entry(_ method: String, _ path: String, _ agent: String, taken: Double, milliseconds: Int)
        -> JSONValue
    {
        [
            "startedDateTime": "2026-03-02T09:00:00.000Z", "time": .integer(milliseconds),
            "_taken": .number(taken),
            "request": [
                "method": .string(method), "url": .string("http://localhost:8420/w/rec" + path),
                "headers": [["name": "User-Agent", "value": .string(agent)]],
            ],
            "response": ["status": 200, "headers": [], "content": ["text": "{}"]],
        ]
    }

    @Test func `those of the app while it answers, and none of a phone or of another moment`() throws {
        let entries = [
            entry("POST", "/app/login", "Firefox", taken: 1.0, milliseconds: 9),
            entry("GET", "/nextauth/sessions", "understudy (app)", taken: 1.004, milliseconds: 1),
            entry("GET", "/nextauth/sessions", "understudy", taken: 1.005, milliseconds: 1),
            entry("GET", "/nextauth/sessions", "understudy (app)", taken: 2.0, milliseconds: 1),
            entry("GET", "/nextauth/sessions", "understudy (hanko)", taken: 1.006, milliseconds: 1),
        ]
        let archive: JSONValue = ["log": ["creator": ["name": "Understudy"], "entries": .array(entries)]]
        let exchanges = try HARReader.exchanges(in: archive.bytes)
        let book = RouteBook([
            KnownRoute(platform: "app", title: "App", mount: "app", method: "POST", pattern: "/login"),
            KnownRoute(
                platform: "nextauth", title: "nextAuth", mount: "nextauth", method: "GET",
                pattern: "/sessions"),
        ])
        let numbers = InnerCalls.numbers(in: exchanges, try Bases(of: exchanges, book), book)
        let inner = exchanges.filter { numbers.contains($0.number) }
        #expect(inner.map(\.takenAt) == [1.004])
    }
}
