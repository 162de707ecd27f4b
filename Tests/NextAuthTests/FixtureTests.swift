import Embedded
import Essentials
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct NextAuthFixtureTests {
    @Test func `a loaded export is the same state, with everything that runs`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.everything)
        let exported = try bench.worlds.export(bench.world)

        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
        #expect(
            String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
                == String(decoding: exported, as: UTF8.self))
    }

    @Test func `what a device has done is exported and goes on in another world`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())
        let login = try device.appLogIn(1)
        _ = try backEnd.transaction("nonce", 1)
        try backEnd.provoke("browser", 1)
        let flow = try device.start(["type": "LOGIN", "data": .string(try backEnd.loginCode())])
        let exported = try bench.worlds.export(bench.world)

        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
        #expect(
            String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
                == String(decoding: exported, as: UTF8.self))
        #expect(try device.post("/sessions/\(login.sessionID)/ping")["state"] == "ACTIVE")
        #expect(try device.step("secondfactor", flow, device.factor(flow, 1)).state == "DONE")
    }

    @Test(arguments: [
        (#"{"servers": [{"id": "a/b=", "key": [], "name": "x"}]}"#, "nextauth.servers[0].id"),
        (#"{"servers": [{"id": "AAAA", "key": ["x"], "name": "x"}]}"#, "nextauth.servers[0].key"),
        (#"{"users": [{"server": "AAAA", "id": "ada"}]}"#, "nextauth.users[0].server"),
        (#"{"grants": [{"role": "AAAA", "permissions": ["root"]}]}"#, "nextauth.grants[0].role"),
        (#"{"instances": [{"id": "short", "token": "t"}]}"#, "nextauth.instances[0].id"),
        (#"{"instances": [{"id": "AAAAAAAAAAAAAAAAAAAAAA"}]}"#, "nextauth.instances[0]"),
        (#"{"settings": {"pin_tries": 0}}"#, "nextauth.settings.pin_tries"),
    ])
    func `a fault is named with its place`(_ section: String, _ field: String) throws {
        let fault = #expect(throws: FixtureError.self) {
            try TestBench(NextAuth.self, fixtures: "{\"nextauth\": \(section)}")
        }
        #expect(fault?.field == field)
    }
}
