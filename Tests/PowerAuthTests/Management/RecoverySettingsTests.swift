import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import PowerAuth

/// Source: documentation of the PowerAuth Server 1.9, “Activation recovery”.
struct RecoverySettingsTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private func detail() throws -> [String: JSONValue] {
        try bench.result(bench.manage("recovery/config/detail", #"{"applicationId": "bank"}"#))
    }

    @Test func `what is set survives an export, with the key pair that was made`() throws {
        let printer = Base64.encode(try PrivateKey.generate(.ec(.p256)).publicKey.x962())
        let update: JSONValue = [
            "applicationId": "bank", "activationRecoveryEnabled": true, "recoveryPostcardEnabled": true,
            "allowMultipleRecoveryCodes": true, "remotePostcardPublicKey": .string(printer),
        ]
        #expect(try bench.result(bench.manage("recovery/config/update", update.text)) == ["updated": true])
        let told = try detail()
        #expect(told["remotePostcardPublicKey"] == .string(printer))
        #expect(told["postcardPublicKey"]?.string.flatMap { Base64.decode($0) }?.count == 65)

        let exported = try bench.bench.worlds.export(bench.bench.world)
        try bench.bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.bench.world)
        #expect(try bench.bench.worlds.export(bench.bench.world) == exported)
        #expect(try detail() == told)
    }

    @Test func `what cannot be set changes nothing`() throws {
        let before = try detail()
        try bench.expect(
            bench.manage("recovery/config/update", #"{"applicationId": "nobody"}"#), "ERR0024",
            "There is no application “nobody”.")
        let wrong = bench.manage(
            "recovery/config/update",
            #"{"applicationId": "bank", "activationRecoveryEnabled": true, "remotePostcardPublicKey": "AAAA"}"#
        )
        #expect(try bench.result(wrong)["code"] == "ERR0024")
        #expect(try detail() == before)
    }
}
