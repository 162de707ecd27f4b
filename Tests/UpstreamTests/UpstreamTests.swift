import Testing

@testable import Upstream

/// What names a real service, and what does not.
struct UpstreamTests {
    @Test(arguments: [
        ("https://tenant.example", "https://tenant.example"),
        ("https://tenant.example/", "https://tenant.example"),
        ("HTTPS://Tenant.Example:443/Base/", "https://tenant.example/Base"),
        ("http://127.0.0.1:8080", "http://127.0.0.1:8080"), ("http://[::1]:80/a/b", "http://[::1]/a/b"),
    ])
    func `scheme and host are in lower case, without a standard port and a slash at the end`(
        given: String, kept: String
    ) throws {
        #expect(try Upstream(url: given).url == kept)
    }

    @Test(arguments: [
        "", "tenant.example", "ftp://tenant.example", "https://", "https://a@b.example",
        "https://a.example?b",
        "https://a.example/#b", "https://a.example/../b", "https://a.example//b", "https://a.example/%2e%2e",
        "https://a.example/ b",
    ])
    func `what cannot be called is refused`(given: String) {
        #expect(throws: UpstreamMalformed.self) { try Upstream(url: given) }
    }

    @Test func `its parts are told`() throws {
        let upstream = try Upstream(url: "https://tenant.example:8443/a/b")
        #expect(upstream.origin == "https://tenant.example:8443")
        #expect(upstream.path == "/a/b")
        #expect(upstream.host == "tenant.example")
        #expect(try Upstream(url: "http://[::1]:8080").host == "::1")
    }

    @Test func `authorities are certificates`() {
        #expect(throws: UpstreamMalformed.self) { try Upstream(url: "https://a.example", ca: "none") }
    }
}
