import DeviceKit
import Essentials
import PlatformKit
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

@Suite struct ApplicationRecordTests {
    private func record(_ bench: MobileBench, _ id: String) throws -> ConsoleRecord {
        try #require(try bench.platform.record(id))
    }

    private func facts(_ record: ConsoleRecord) -> [String: String] {
        Dictionary(record.facts.map { ($0.name, $0.value) }) { first, _ in first }
    }

    @Test func `an application shows what it takes of the protocol`() throws {
        let bench = try MobileBench(
            application: #""supported_algorithms": ["EC_P384"], "offers_upgrade": true,"#)
        let record = try record(bench, "bank")
        #expect(record.kind == "application" && record.state == "active" && record.user == nil)
        #expect(facts(record)["Supported algorithms"] == "EC_P384")
        #expect(facts(record)["New activations"] == "of protocol 3 and 4")
        #expect(facts(record)["Upgrade to 4.0"] == "offered")
        #expect(facts(record)["Versions"]?.contains(MobileBench.key) == true)
        #expect(record.actions.map(\.name) == ["change"])
        #expect(record.actions.first?.inputs.map(\.preset) == ["EC_P384", "3", "yes"])
    }

    @Test func `an application shows both strings that apps are built with, in lists none`() throws {
        let bench = try MobileBench()
        let values = try #require(try bench.platform.appConfigurations().first { $0.application == "bank" })
            .values
        let facts = facts(try record(bench, "bank"))
        #expect(facts["mobileSdkConfig, for SDK 1.x"] == values["mobileSdkConfig"])
        #expect(facts["mobileSdkConfigV4, for SDK 2.x"] == values["mobileSdkConfigV4"])
        let listed = try bench.platform.records().filter { $0.kind == "application" }
        #expect(
            listed.count == 2
                && listed.allSatisfy { !$0.facts.contains { $0.name.hasPrefix("mobileSdkConfig") } })
    }

    @Test func `what is changed counts from then on, and the rest stays`() throws {
        let bench = try MobileBench()
        try bench.platform.perform(
            "change", onRecord: "bank", ["supported_algorithms": "EC_P384\nEC_P384_ML_L5"])
        #expect(facts(try record(bench, "bank"))["Supported algorithms"] == "EC_P384, EC_P384_ML_L5")
        #expect(throws: ServerRefusal.self) { try bench.activePhone4(.hybrid3) }
        try bench.activePhone4(.hybrid5).validate(with: .pin(MobileBench.pin))
        _ = try bench.activePhone()

        try bench.platform.perform("change", onRecord: "bank", ["minimum_protocol": "4"])
        #expect(throws: ServerRefusal.self) { try bench.activePhone() }
        #expect(facts(try record(bench, "bank"))["Supported algorithms"] == "EC_P384, EC_P384_ML_L5")
        #expect(facts(try record(bench, "shop"))["New activations"] == "of protocol 3 and 4")

        try bench.platform.perform(
            "change", onRecord: "bank", ["minimum_protocol": "3", "offers_upgrade": "yes"])
        let former = try bench.activePhone()
        #expect(try former.status().upgradeVersion == 4)
    }

    @Test(arguments: [
        ("supported_algorithms", "P384", "P384"), ("supported_algorithms", "EC_P384 EC_P384", "twice"),
        ("supported_algorithms", " ", "supported_algorithms"), ("minimum_protocol", "5", "3 or 4"),
        ("offers_upgrade", "true", "yes or no"),
    ])
    func `what cannot be is refused and changes nothing`(_ name: String, _ value: String, _ says: String)
        throws
    {
        let bench = try MobileBench()
        let before = try record(bench, "bank")
        var inputs = ["minimum_protocol": "4"]
        inputs[name] = value
        var refusal: RecordRefusal?
        do {
            try bench.platform.perform("change", onRecord: "bank", inputs)
        } catch let error as RecordRefusal {
            refusal = error
        }
        #expect(refusal?.explanation.contains(says) == true)
        #expect(try record(bench, "bank") == before)
    }

    /// Apps of such an application need not have the key of P-256.
    @Test func `codes of an application of protocol 4 alone are signed by P-384`() throws {
        let bench = try MobileBench()
        let points = try bench.phone4().configuration.masterPoints
        let (id, _) = try bench.register()
        func scanned() throws -> PowerAuthDevice.ActivationCode {
            try PowerAuthDevice.ActivationCode(parsing: #require(try record(bench, id).code))
        }
        #expect(try scanned().isSigned(by: points[0]))
        try bench.platform.perform("change", onRecord: "bank", ["minimum_protocol": "4"])
        #expect(try scanned().isSigned(by: points[1]) && !scanned().isSigned(by: points[0]))
        #expect(try scanned() == scanned())
    }

    @Test func `a registration tells its protocol, and an upgrade under way`() throws {
        let bench = try MobileBench(application: #""offers_upgrade": true,"#)
        func facts(of phone: Device) throws -> [String: String] {
            try self.facts(record(bench, #require(phone.activation).id))
        }
        let third = try bench.activePhone()
        #expect(try facts(of: third)["Protocol"] == "3.x")
        #expect(try facts(of: third)["Confirmed by the device"] == nil)
        let phone = try bench.phone4(.hybrid3)
        try phone.activate(.init(.code(bench.register(.onKeyExchange).code)), pin: MobileBench.pin)
        #expect(try facts(of: phone)["Protocol"] == "4.0, EC_P384_ML_L3")
        #expect(try facts(of: phone)["Confirmed by the device"] == "not yet")
        try phone.confirmActivation(pin: MobileBench.pin)
        #expect(try facts(of: phone)["Confirmed by the device"] == "yes")

        let updated = try bench.phone4()
        updated.activation = third.activation
        bench.refuses = "/pa/v4/upgrade/confirm"
        #expect(throws: ServerRefusal.self) { try updated.upgradeToProtocol4(pin: MobileBench.pin) }
        #expect(try facts(of: updated)["Upgrade"] == "to 4.0, EC_P384, waits for its confirmation")
        #expect(try facts(of: updated)["Protocol"] == "3.x")
    }
}
