import Essentials
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

@Suite struct Mobile4LifeTests {
    @Test(arguments: Protocol4.Algorithm.allCases)
    func `a device lives from the code to its removal`(_ algorithm: Protocol4.Algorithm) throws {
        let bench = try MobileBench()
        let phone = try Phone4(bench, algorithm)
        let (id, code) = try bench.register()
        try phone.activate(code, ["activationName": "Ada's phone"])
        #expect(phone.id == id)
        let stored = try bench.stored(id)
        let shown = try bench.bench.world.database.read { db in try stored.fingerprint(in: db) }
        #expect(shown == phone.fingerprint)
        #expect(try phone.status().state == 2 && phone.status().flags == 1)

        try phone.confirm(biometry: true)
        #expect(try phone.status().flags == 8)
        try bench.commit(id)
        let status = try phone.status("/pa/activation/status")
        #expect((status.state, status.counterByte, status.lookAhead) == (3, 1, 20))
        #expect(try status.counterCode == Protocol4.Status.counterCode(phone.counter, secret: phone.secret))
        try phone.validate()
        try phone.validate(type: "possession")

        #expect(try phone.encrypted("/pa/v4/user/info")["sub"] == "ada")
        let body: [UInt8] = []
        try phone.post(
            "/pa/v4/activation/remove", body, [phone.code("/pa/activation/remove", body)])
        #expect(try bench.stored(id).state == .removed)
        #expect(try phone.status().state == 5)
        #expect(bench.bench.reports.lines == [])
    }

    @Test func `another PIN counts with its first code, the old one until then`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        let exchange = try phone.exchange()
        let told = try phone.encryptedAndCoded(
            "/pa/v4/password/change", "/pa/password/change", exchange.request())
        let new = try exchange.secret(told)

        try phone.validate()
        try phone.validate(knowledge: new)
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: "the PIN is wrong"
        ) { try phone.validate() }
    }

    @Test func `a world is exported with its activations of protocol 4, and loaded`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4(.hybrid3)
        let before = try bench.bench.world.database.read { try ActivationSecrets.find(phone.id, in: $0) }
        let worlds = bench.bench.worlds
        let exported = try worlds.export(bench.bench.world)

        try worlds.load(FixtureSet(text: exported, file: "export"), into: bench.bench.world)
        #expect(try worlds.export(bench.bench.world) == exported)
        let after = try bench.bench.world.database.read { try ActivationSecrets.find(phone.id, in: $0) }
        #expect(before != nil && before == after)
        try phone.validate()
    }

    @Test func `the configuration string is the same from start to start`() throws {
        let (one, other) = (try MobileBench(), try MobileBench())
        let texts = try [one, other].map { bench in
            try #require(
                try bench.platform.appConfigurations().first?.values["mobileSdkConfigV4"])
        }
        #expect(texts[0] == texts[1])
        #expect(texts[0].count == 6288)
    }

    @Test func `a key of protocol 4 comes as a text, or as an object by the setting`() throws {
        for form in ["text", "object"] {
            let bench = try MobileBench(settings: #""temporary_key_form": "\#(form)""#)
            try bench.activePhone4().validate()
        }
    }
}
