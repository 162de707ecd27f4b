import Embedded
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

/// The server, the user and the key that the built-in fixtures bring.
@Suite struct CastTests {
    private func bench() throws -> TestBench<NextAuth> {
        let file = try #require(EmbeddedFile.at("Fixtures/default.json"))
        // The other platforms' sections are unknown to a bench of one platform.
        let own = try #require(
            String(decoding: file.bytes, as: UTF8.self).firstRange(of: "    \"nextauth\": {"))
        let rest = String(decoding: file.bytes, as: UTF8.self)[own.lowerBound...]
        let end = try #require(rest.firstRange(of: "\n    },\n"))
        return try TestBench(NextAuth.self, fixtures: "{" + rest[..<end.upperBound] + "}")
    }

    @Test func `a server is ready for an AppLogin, and ada for an enrolment`() throws {
        let bench = try bench()
        let server = try bench.get(Device.base + "/servers/NP3zfIyXOwwzWEIfcetxjQ").json(JSONValue.self)
        #expect(server["serverName"] == "Understudy")
        #expect(server["pingTime"] == 300)
        #expect(server["pinTimeout"] == 0)

        let platform = NextAuth(bench.world)
        let id = try platform.makeRecord(
            "enrolment",
            ["name": "ada@phone", "user": "ada@example.com", "server": "NP3zfIyXOwwzWEIfcetxjQ=="])
        var device = try Device(bench)
        try device.enrol(#require(try platform.record(id)?.code))
        #expect(try device.appLogIn(1).session?["userid"] == "ada@example.com")
    }

    @Test func `the key may do everything everywhere`() throws {
        let bench = try bench()
        let request = Request(.get, "/servers/", headers: ["X-apikey": "nextauth-api-key"])
        let caller = try bench.world.database.read { try request.caller(in: $0) }
        for permission in Permission.allCases { try caller.require(permission, on: nil) }
    }
}
