import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import PowerAuth
@testable import PowerAuthDevice

@Suite struct Mobile4RefusalTests {
    private static let activation = "POWER_AUTH_ACTIVATION_INVALID"

    @Test func `a suite that the application does not take is refused, and its status says so`() throws {
        let bench = try MobileBench(application: #""supported_algorithms": ["EC_P384", "LEGACY_P256"],"#)
        let phone = try bench.phone4(.hybrid3)
        bench.expectRefusal(
            400, "ERR_TEMPORARY_KEY", "POWER_AUTH_TEMPORARY_KEY_FAILURE",
            because: "does not take EC_P384_ML_L3, only EC_P384, LEGACY_P256"
        ) { try phone.activate(.init(.code(bench.register().code)), pin: MobileBench.pin) }

        let told = bench.bench.post(
            "/enrollment-server/pa/v4/status",
            raw: #"{"requestObject":{"applicationKey":"\#(MobileBench.key)"}}"#)
        let names = try JSONValue(parsing: told.bytes)["responseObject"]?["supportedAlgorithms"]
        #expect(names == ["EC_P384", "LEGACY_P256"])
        try bench.activePhone4().validate(with: .pin(MobileBench.pin))
    }

    @Test func `a suite that is taken no more between key and activation costs a registration nothing`()
        throws
    {
        let bench = try MobileBench()
        let phone = try bench.phone4(.hybrid3)
        _ = try phone.temporaryKey(.application)
        let (id, code) = try bench.register(.onKeyExchange)
        try bench.platform.perform("change", onRecord: "bank", ["supported_algorithms": "EC_P384"])
        bench.expectRefusal(
            400, "ERR_ACTIVATION", Self.activation, because: "does not take EC_P384_ML_L3, only EC_P384"
        ) { try phone.activate(.init(.code(code)), pin: MobileBench.pin) }
        #expect(try bench.stored(id).state == .created)
        phone.algorithm = .p384
        phone.temporaryKeys = [:]
        try phone.activate(.init(.code(code)), pin: MobileBench.pin)
    }

    @Test func `a suite that is not taken any more is flagged`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        try bench.bench.world.change { turn in
            var suites = try ApplicationSuites.find("bank", in: turn.db)
            suites.algorithms = [.p384WithMLKEM768]
            try turn.update(suites)
        }
        #expect(try phone.status().flags == .suiteUnsupported)
        try phone.validate(with: .pin(MobileBench.pin))
    }

    @Test func `an application of protocol 4 alone makes no new activations of 3`() throws {
        let bench = try MobileBench(application: #""minimum_protocol": 4,"#)
        bench.expectRefusal(
            400, "ERR_ACTIVATION", Self.activation, because: "makes new activations of protocol 4 alone"
        ) { _ = try bench.activePhone() }
        try bench.activePhone4().validate(with: .pin(MobileBench.pin))
    }

    @Test func `a device key that is none ends the registration`() throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register()
        bench.expectRefusal(
            400, "ERR_ACTIVATION", Self.activation,
            because: "devicePublicKeys.ecdsa: expected a point of P-384"
        ) {
            let phone = try bench.phone4()
            phone.faults.deviceKey = [4] + [UInt8](repeating: 1, count: 96)
            try phone.activate(.init(.code(code)), pin: MobileBench.pin)
        }
        #expect(try bench.stored(id).state == .removed)
    }

    @Test func `a header of the other protocol costs nothing`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        let header = try phone.authorization(
            uriID: "/pa/signature/validate", body: [], with: .pin(MobileBench.pin))
        bench.expectUnsigned(because: "The header speaks version 4.0, and this path is one of protocol 3") {
            let response = try phone.send(
                DeviceRequest(
                    "/pa/v3/signature/validate", headers: [("X-PowerAuth-Authorization", header)]))
            throw ServerRefusal(response)
        }
        #expect(try bench.stored(phone).failedAttempts == 0)
    }

    @Test func `a wrong PIN counts until the activation is blocked`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone4()
        for left in [
            "4 attempts remain", "3 attempts remain", "2 attempts remain", "1 attempt remains", "No attempt",
        ] {
            bench.expectRefusal(
                401, "ERR_AUTHENTICATION", "POWER_AUTH_CODE_INVALID", because: left
            ) { try phone.validate(with: .pin("0000")) }
            #expect(bench.explanation.contains("the PIN is wrong"))
        }
        #expect(try bench.stored(phone).state == .blocked)
        #expect(try phone.status().state == .blocked)
    }

    @Test func `what is missing of protocol 4 says so`() throws {
        let bench = try MobileBench()
        for path in [
            "/enrollment-server/pa/v4/recovery/confirm", "/powerauth-java-server/rest/v4/upgrade/start",
        ] {
            let refused = bench.bench.post(path, raw: "{}")
            #expect(refused.status == .notImplemented)
            let told = try JSONValue(parsing: refused.bytes)
            #expect(told["responseObject"]?["message"]?.string == bench.explanation)
            #expect(bench.explanation.contains("not emulated"), "\(bench.explanation)")
        }
    }

    @Test(arguments: [
        (#""minimum_protocol": 5,"#, "minimum_protocol"),
        (#""supported_algorithms": ["P384"],"#, "supported_algorithms"),
        (#""ml_dsa_65_seed": "AAAA","#, "ml_dsa_65_seed"), (#""master_key_p384": ["x"],"#, "master_key_p384"),
    ])
    func `a mistake in an application is told with its place`(_ member: String, _ place: String) {
        do {
            _ = try MobileBench(application: member)
            Issue.record("it was loaded")
        } catch {
            #expect("\(error)".contains(place), "\(error)")
        }
    }
}
