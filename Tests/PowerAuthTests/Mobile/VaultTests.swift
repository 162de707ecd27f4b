import DeviceKit
import Essentials
import PowerAuthDevice
import Testing

@testable import PowerAuth

@Suite struct VaultTests {
    private func expectRefused(
        _ bench: MobileBench, because explanation: String, sourceLocation: SourceLocation = #_sourceLocation,
        _ body: () throws -> Void
    ) {
        bench.expectRefusal(
            400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID", because: explanation,
            sourceLocation: sourceLocation, body)
    }

    @Test(arguments: Device.Version.allCases)
    func `the PIN opens it`(_ version: Device.Version) throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone(version)
        #expect(
            try phone.unlockVault(reason: "FETCH_ENCRYPTION_KEY", with: .pin(MobileBench.pin)).count == 16)
        #expect(try bench.stored(phone).counter == 1)
    }

    @Test func `biometry opens it only where that is switched on`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        expectRefused(bench, because: "does not accept possession_biometry, only possession_knowledge") {
            try phone.unlockVault(reason: nil, with: .biometry)
        }
        expectRefused(bench, because: "does not accept possession,") {
            try phone.unlockVault(reason: nil, with: .possession)
        }
    }

    @Test func `encryption and reason are checked before the code`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        for reason in ["ab", "a b c", "ä€ö", String(repeating: "x", count: 256)] {
            expectRefused(bench, because: "The reason must be 3 to 255 of letters") {
                try phone.unlockVault(reason: reason, with: .pin("0000"))
            }
        }
        phone.faults.breaksMAC = true
        expectRefused(bench, because: "The mac of the encrypted request is wrong") {
            try phone.unlockVault(reason: nil, with: .pin("0000"))
        }
        #expect(try bench.stored(phone).failedAttempts == 0)
        phone.faults = .init()
        bench.expectUnsigned(because: "the PIN is wrong") {
            try phone.unlockVault(reason: nil, with: .pin("0000"))
        }
    }

    @Test func `who is not known by the header is not authenticated`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        _ = try phone.signedRequest(
            "/pa/v3/vault/unlock", body: Array("{}".utf8), uriID: "/pa/vault/unlock",
            with: .pin(MobileBench.pin))
        bench.expectRefused(
            400, "ERR_SECURE_VAULT", "POWER_AUTH_SECURE_VAULT_INVALID",
            because: "“ephemeralPublicKey” is missing")
        let old = try bench.phone(key: MobileBench.oldKey)
        old.activation = phone.activation
        _ = try old.signedRequest(
            "/pa/v3/vault/unlock", body: Array("{}".utf8), uriID: "/pa/vault/unlock",
            with: .pin(MobileBench.pin))
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", because: "is not supported any more")
        #expect(try bench.stored(phone).failedAttempts == 1)
        try bench.block(phone)
        _ = try phone.signedRequest(
            "/pa/v3/vault/unlock", body: Array("{}".utf8), uriID: "/pa/vault/unlock",
            with: .pin(MobileBench.pin))
        bench.expectRefused(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", because: "is BLOCKED (LOST)")
        for (header, told) in [
            (nil, "is missing."), ("PowerAuth pa_version=\"3.3\"", "pa_activation_id is missing"),
        ] {
            _ = try phone.send(
                .init(
                    "/pa/v3/vault/unlock",
                    headers: header.map { [(name: "X-PowerAuth-Authorization", value: $0)] } ?? []))
            bench.expectRefused(401, "ERR_AUTHENTICATION", "POWER_AUTH_SIGNATURE_INVALID", because: told)
        }
    }
}
