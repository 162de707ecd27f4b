import Testing

@testable import Comparison

/// Which host of a recording is which service.
@Suite struct BasesTests {
    private let book = RouteBook(
        [
            ("app", "GET", "/me"), ("hanko", "GET", "/me"), ("hanko", "GET", "/users/:id"),
            ("oauth", "GET", "/users/:id"),
        ]
        .map { KnownRoute(platform: $0.0, title: $0.0, mount: $0.0, method: $0.1, pattern: $0.2) })

    private func bases(_ urls: [String], given: [(mount: String, url: String)] = []) throws -> Bases {
        var recording = SmallRecording()
        for url in urls { recording.add("GET", url) }
        return try Bases(of: recording.exchanges, book, given: given)
    }

    @Test func `a host of somebody else is none of a service whose place is said`() throws {
        let found = try bases(
            ["https://tenant.example/me", "https://backend.example/me", "https://other.example/users/1"],
            given: [("hanko", "https://tenant.example")])
        #expect(found.place(of: "https://tenant.example/me")?.mount == "hanko")
        #expect(found.place(of: "https://backend.example/me") == nil)
        #expect(found.place(of: "https://other.example/users/1") == nil)
    }

    @Test func `no other host has the sample app`() throws {
        #expect(
            try bases(["https://tenant.example/me"]).place(of: "https://TENANT.example/me")?.mount == "hanko")
    }

    @Test func `what could be two services has to be said`() {
        #expect(throws: RecordingUnreadable.self) { try bases(["https://tenant.example/users/1"]) }
    }
}
