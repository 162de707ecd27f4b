import HTTP
package import PlatformKit
import Testing

/// What every platform must do, whatever it emulates.
package func checkConformance<P: Platform>(of platform: P.Type, fixtures: String = "{}") throws {
    let bench = try TestBench(platform, fixtures: fixtures)
    for mount in P.mountPaths {
        let lost = bench.get("/\(mount)/no/such/route")
        #expect((400..<500).contains(lost.status.code), "an unknown route is the client's mistake")
        #expect(!lost.bytes.isEmpty, "an unknown route is answered in the platform's own error shape")
        #expect(bench.explanation?.isEmpty == false, "an unknown route is explained in the journal")
    }
    for route in P.mounts.flatMap({ mount in mount.routes.map { (mount.path, $0) } }) {
        try checkRobustness(of: route.1, under: route.0, on: bench)
    }
    #expect(bench.misshapenExplanations == [], "an explanation has a capital and a full stop")
    #expect(bench.reports.lines == [], "no request, however odd, reaches an error that nobody mapped")

    let exported = try bench.worlds.export(bench.world)
    try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
    let again = try bench.worlds.export(bench.world)
    #expect(exported == again, "loading an export gives the same state")
}

/// Broken and odd bodies are refused by every route, in the platform's own shape.
private func checkRobustness<P: Platform>(
    of route: Route<P>, under mount: String, on bench: TestBench<P>
) throws {
    let path = "/" + mount + route.pattern.replacing(/:\w+/, with: "none")
    for body in [
        "", "{", "[]", "null", "\"text\"", "{\"email\": 7}", "\u{FFFD}", String(repeating: "[", count: 5000),
    ] {
        let response = bench.send(
            route.method, path, body: Array(body.utf8), headers: ["Content-Type": "application/json"])
        let code = response.status.code
        // What is not emulated says so; the sample app passes on that nobody answers behind it.
        #expect(
            code < 500 || [501, 502].contains(code),
            "\(path) takes a body that is odd for a mistake of its own")
        #expect(code != 501 || !response.bytes.isEmpty, "a refusal has a body")
    }
}
