import HTTP
import PlatformKit
import TestKit
import Testing
import Upstream

@testable import Console

/// Which platforms of a world are real services, by the control API.
struct UpstreamCallTests {
    private static let tenant = #"{"url": "https://Tenant.example/"}"#

    @Test func `an upstream is set, shown with the pair of addresses, changed and removed`() throws {
        let bench = try ConsoleBench()
        #expect(bench.get("/upstreams").text == #"{"own":false,"upstreams":[]}"#)

        #expect(bench.put("/upstreams/acme", Self.tenant).status == .created)
        #expect(bench.put("/upstreams/acme", Self.tenant).status == .ok)
        #expect(
            bench.get("/upstreams").text
                == #"{"own":true,"upstreams":[{"mount":"acme","ours":"http://localhost:8420/acme","url":"https://tenant.example"}]}"#
        )
        #expect(bench.world.upstreams == ["acme": try Upstream(url: "https://tenant.example")])

        #expect(bench.delete("/upstreams/acme").status == .noContent)
        #expect(bench.delete("/upstreams/acme").status == .notFound)
        #expect(bench.get("/upstreams").text == #"{"own":true,"upstreams":[]}"#)
    }

    @Test func `what is no upstream is refused with a sentence, and changes nothing`() throws {
        let bench = try ConsoleBench()

        #expect(
            bench.put("/upstreams/acme", #"{"url": "tenant.example"}"#).detail(.unprocessableContent)
                .contains("http or https URL"))
        #expect(
            bench.put("/upstreams/amce", Self.tenant).detail(.unprocessableContent)
                .contains("No platform answers at /amce"))
        #expect(bench.put("/upstreams/acme", "{}").detail(.badRequest).contains("“url”"))
        #expect(bench.world.upstreams.isEmpty)
        #expect(!bench.world.hasOwnUpstreams)
    }

    @Test func `fixtures name them, with the place of a mistake`() throws {
        let bench = try ConsoleBench(
            fixtures: #"{"upstreams": {"acme": {"url": "https://tenant.example/base"}}}"#)
        #expect(bench.world.upstreams["acme"]?.url == "https://tenant.example/base")

        #expect(throws: FixtureError.self) {
            try ConsoleBench(fixtures: #"{"upstreams": {"acme": {"url": "nowhere"}}}"#)
        }
    }
}
