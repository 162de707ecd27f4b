import Crypto
import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import NextAuth

@Suite struct InstanceTests {
    @Test func `an installation is made with a token, and tells what it has`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let answer = try bench.post(
            Device.base + "/instances", ["platform": "ios", "clientVersion": "3.1"] as JSONValue)
        let body = try answer.json(JSONValue.self)
        #expect(answer.status == .ok)
        #expect(Base64URL.decode(body["instanceid"]?.string ?? "")?.count == 16)
        #expect(Base64URL.decode(body["token"]?.string ?? "")?.count == 32)
        #expect(body["secondfactor"]?["pin"] == "UNSET")
        #expect(body["time"]?.integer == ManualTime.start.unixSeconds)
    }

    @Test func `push token and name change one by one`() throws {
        let device = try Device(TestBench(NextAuth.self, fixtures: Cast.world()))
        #expect(device.send(.put, "/instance", ["pushtoken": "abc"]).status == .ok)
        let changed = try device.send(.put, "/instance", ["name": "Tablet"]).json(JSONValue.self)
        #expect(changed["pushtoken"] == "abc")
        #expect(changed["name"] == "Tablet")
    }

    @Test(arguments: [Cast.serverID, "AAAAAAAAAAAAAAAAAAAAAQ", "AAAAAAAAAAAAAAAAAAAAAQ%3D%3D"])
    func `a server is shown without a token, whatever the spelling of its id`(_ id: String) throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let server = try bench.get(Device.base + "/servers/" + id).json(JSONValue.self)
        #expect(server["serverid"] == "AAAAAAAAAAAAAAAAAAAAAQ")
        #expect(server["serverpk"]?.string == Cast.publicKey)
        #expect(server["serverName"] == "Test")
        #expect(server["pingTime"] == 300)
        #expect(server["wsurl"] == "ws://localhost:8420/nextauth/ws")
        let picture = try #require(Base64URL.decode(server["vash"]?.string ?? ""))
        #expect(picture.starts(with: [0x89, 0x50, 0x4E, 0x47]))
    }

    @Test func `the cached second factor has its end`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world(pinTimeout: 5))
        var device = try Device(bench)
        #expect(try device.get("/instance")["secondfactor"]?["cacheduntil"] == .null)
        try device.enrol(try BackEnd(bench: bench).enrolmentCode())
        let until = try device.get("/instance")["secondfactor"]?["cacheduntil"]?.integer
        #expect(until == ManualTime.start.unixSeconds + 300)
    }

    @Test func `a device of a fixture proves the PIN of the fixture`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.everything)
        let instance = try #require(
            try bench.world.database.read { try $0.all(Instance.self).first })
        // PBKDF2-HMAC-SHA-256 of "12345", salt of 16 zero bytes, 10,000 rounds, by Python's hashlib.
        #expect(instance.factor.pinKey == Cast.pinKey)
    }
}
