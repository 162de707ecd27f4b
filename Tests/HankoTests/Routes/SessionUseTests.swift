import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What a request leaves behind at its session, whatever comes of the request.
struct SessionUseTests {
    private static let idling = "\"session\": {\"enable_auth_token_header\": true, \"idle_timeout\": \"10m\"}"

    private func sessions(_ bench: TestBench<Hanko>) throws -> [Session] {
        try bench.world.database.read { try $0.all(Session.self, order: "rowid") }
    }

    @Test func `a refused request counts as use of its session`() throws {
        let bench = try TestBench.classic(config: Self.idling)
        let token = try bench.signIn(Ada.id)

        try bench.clock.advance(seconds: 500)
        let taken = try bench.post(
            "/hanko/emails", ["address": Grace.address], headers: .bearer(token))
        #expect(taken.status == .badRequest)
        #expect(try sessions(bench).map(\.lastUsed) == [bench.clock.now])
        try bench.clock.advance(seconds: 500)
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .ok)
    }

    @Test func `a step of a flow that is refused counts as use of its session`() throws {
        let bench = try TestBench.classic(config: Self.idling)
        let token = try bench.signIn(Ada.id)
        let client = try bench.flow("/profile", headers: .bearer(token))

        try bench.clock.advance(seconds: 500)
        let response = bench.post(
            "/hanko" + (try client.href("patch_metadata")), raw: "{\"csrf_token\": \"old\"}",
            headers: .bearer(token))
        #expect(response.status == .forbidden)
        #expect(try sessions(bench).map(\.lastUsed) == [bench.clock.now])
    }

    @Test(arguments: [(Status.ok, "new@example.com"), (.badRequest, Grace.address)])
    func `an idle session goes also when another one of the request is good`(
        status: Status, address: String
    ) throws {
        let bench = try TestBench.classic(config: Self.idling)
        let idle = try bench.signIn(Ada.id)
        try bench.clock.advance(seconds: 601)
        let good = try bench.signIn(Ada.id)
        #expect(try sessions(bench).count == 2)

        var headers = Headers.bearer(idle)
        headers["Cookie"] = "hanko=\(good)"
        #expect(try bench.post("/hanko/emails", ["address": address], headers: headers).status == status)
        #expect(try sessions(bench).map(\.lastUsed) == [bench.clock.now])
    }

    @Test func `to look whether a session is good is no use of it`() throws {
        let bench = try TestBench.classic(config: Self.idling)
        let token = try bench.signIn(Ada.id)
        let before = try sessions(bench)

        try bench.clock.advance(seconds: 500)
        #expect(
            bench.get("/hanko/sessions/validate", headers: .bearer(token)).text.contains("\"is_valid\":true"))
        #expect(try sessions(bench) == before)
    }
}
