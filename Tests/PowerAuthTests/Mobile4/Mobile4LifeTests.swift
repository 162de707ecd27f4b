import DeviceKit
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
        let phone = try bench.phone4(algorithm)
        let (id, code) = try bench.register()
        let told = try phone.activate(
            ActivationRequest(.code(code), name: "Ada's phone"), pin: MobileBench.pin)
        #expect(told.activationID == id)
        let stored = try bench.stored(id)
        let shown = try bench.bench.world.database.read { db in try stored.fingerprint(in: db) }
        #expect(shown == told.fingerprint)
        var status = try phone.status()
        #expect(status.state == .pendingCommit && status.flags == .confirmationPending)

        try phone.confirmActivation(pin: MobileBench.pin)
        #expect(try phone.status().flags == .biometryEnabled)
        try bench.commit(id)
        phone.faults.purpose = "/pa/activation/status"
        status = try phone.status()
        phone.faults.purpose = nil
        #expect((status.state, status.counterDistance, status.lookAhead) == (.active, 0, 20))
        for credential in [Credential.pin(MobileBench.pin), .biometry, .possession] {
            try phone.validate(with: credential)
        }
        try phone.validate("GET", with: .possession)

        #expect(try phone.userInfo()["sub"] == "ada")
        let kept = phone.activation
        try phone.removeActivation(with: .pin(MobileBench.pin))
        #expect(try bench.stored(id).state == .removed)
        #expect(phone.activation == nil)
        phone.activation = kept
        #expect(try phone.status().state == .removed)
        #expect(bench.bench.reports.lines == [])
    }

    @Test(arguments: Protocol4.Algorithm.allCases)
    func `tokens, the vault and the name are the device's own`(_ algorithm: Protocol4.Algorithm) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4(algorithm)
        let pin = Credential.pin(MobileBench.pin)
        try phone.createToken("two", with: pin)
        #expect(try phone.renameActivation("Her phone", with: pin) == "Her phone")
        #expect(try phone.activationName(token: "two") == "Her phone")
        try phone.removeToken("two")
        #expect(phone.tokens["two"] == nil)

        let key = try phone.unlockVault(reason: nil, with: pin)
        #expect(try phone.unlockVault(reason: "FETCH_ENCRYPTION_KEY", with: pin) == key)
        #expect(
            try phone.vaultKey4(.applicationKnowledge, reason: nil, with: pin) != key)
        let data = Array("contract".utf8)
        let signature = try phone.signWithDeviceKey(data, with: pin)
        let activation = try #require(phone.activation)
        let stored = try bench.bench.world.database.read { db in
            try #require(try Activation.find(activation.id, in: db)?.deviceSigningKey(in: db))
        }
        #expect(DataSignature.isValid(signature, for: data, by: stored))
        #expect(bench.bench.reports.lines == [])
    }

    @Test func `biometry is set up, taken away and set up again with another key`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        #expect(throws: DeviceError.self) { try phone.validate(with: .biometry) }
        try phone.addBiometry(pin: MobileBench.pin)
        let first = phone.activation?.biometryKey
        #expect(try phone.status().flags == .biometryEnabled)
        try phone.validate(with: .biometry)

        try phone.removeBiometry()
        #expect(try phone.status().flags == [])
        phone.activation?.biometryKey = first
        bench.expectRefusal(401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: "biometry") {
            try phone.validate(with: .biometry)
        }
        try phone.addBiometry(pin: MobileBench.pin)
        #expect(phone.activation?.biometryKey != first)
        try phone.validate(with: .biometry)
    }

    @Test func `another PIN counts with its first code, the old one until then`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        let old = try #require(phone.activation).knowledgeKey
        try phone.exchangeKnowledge(from: MobileBench.pin, to: "9876")
        let new = try #require(phone.activation).knowledgeKey

        phone.activation?.knowledgeKey = old
        try phone.validate(with: .pin(MobileBench.pin))
        phone.activation?.knowledgeKey = new
        try phone.validate(with: .pin("9876"))
        phone.activation?.knowledgeKey = old
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: "the PIN is wrong"
        ) { try phone.validate(with: .pin(MobileBench.pin)) }
        phone.activation?.knowledgeKey = new
        try phone.changePIN(from: "9876", to: "1111")
        try phone.validate(with: .pin("1111"))
    }

    @Test func `a world is exported with its activations of protocol 4, and loaded`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4(.hybrid3)
        let id = try #require(phone.activation).id
        try phone.createToken("mine", with: .pin(MobileBench.pin))
        let before = try bench.bench.world.database.read { try ActivationSecrets.find(id, in: $0) }
        let worlds = bench.bench.worlds
        let exported = try worlds.export(bench.bench.world)

        try worlds.load(FixtureSet(text: exported, file: "export"), into: bench.bench.world)
        #expect(try worlds.export(bench.bench.world) == exported)
        let after = try bench.bench.world.database.read { try ActivationSecrets.find(id, in: $0) }
        #expect(before != nil && before == after)
        try phone.validate(with: .pin(MobileBench.pin))
        // Temporary keys are no part of fixtures.
        phone.temporaryKeys = [:]
        _ = try phone.activationName(token: "mine")
    }

    @Test func `a world goes back to its snapshot, and its activation of protocol 4 with it`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4(.hybrid3)
        try phone.createToken("mine", with: .pin(MobileBench.pin))
        let kept = (phone.activation, phone.tokens)
        let worlds = bench.bench.worlds
        _ = try worlds.takeSnapshot("before", of: "default")
        try phone.changePIN(from: MobileBench.pin, to: "8642")
        try phone.removeActivation(with: .pin("8642"))

        try worlds.restore("before", in: "default", keepsClock: true)
        (phone.activation, phone.tokens) = kept
        try phone.validate(with: .pin(MobileBench.pin))
        _ = try phone.activationName(token: "mine")
        #expect(try phone.status().state == .active)
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
            try bench.activePhone4().validate(with: .pin(MobileBench.pin))
        }
    }
}
