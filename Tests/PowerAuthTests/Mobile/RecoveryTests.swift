import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

@Suite struct RecoveryTests {
    static let printed = "MMMMM-MMMMM-MMMMM-MUTOA"

    private func bench() throws -> MobileBench {
        try MobileBench(
            settings: #""max_recovery_attempts": 2"#, application: "\"offers_recovery\": true,",
            mobile: """
                "recovery_codes": [{"code": "\(Self.printed)", "application": "bank", "user": "ada", "state": "CREATED",
                    "puks": [{"value": "0123456789", "state": "VALID"}, {"value": "9876543210", "state": "VALID"}]}]
                """)
    }

    /// The state of a code, and those of its PUKs.
    private func states(_ code: String, _ bench: MobileBench) throws -> [String] {
        let found = try bench.bench.world.database.read { db in
            try RecoveryCode.find(code, of: "bank", in: db)
        }
        let stored = try #require(found)
        return [stored.state.rawValue] + stored.puks.map { $0.state.rawValue }
    }

    // Source: published tests of the PowerAuth Server, activation recovery and postcards.
    @Test func `a code ends with its last PUK, not before`() throws {
        let bench = try bench()
        _ = try bench.activePhone().confirmRecovery(Self.printed, with: .pin(MobileBench.pin))
        for (puk, states) in [
            ("0123456789", ["ACTIVE", "USED", "VALID"]), ("9876543210", ["REVOKED", "USED", "USED"]),
        ] {
            let phone = try bench.phone()
            try phone.activate(.init(.recovery(code: Self.printed, puk: puk)), pin: MobileBench.pin)
            #expect(try self.states(Self.printed, bench) == states)
        }
    }

    private func expectWrongPUK(_ bench: MobileBench, _ phone: Device, _ code: String, because: String) {
        #expect(throws: ServerRefusal.self) {
            try phone.activate(.init(.recovery(code: code, puk: "0000000000")), pin: MobileBench.pin)
        }
        #expect(
            bench.lastResponse.text
                == #"{"status":"ERROR","responseObject":{"code":"INVALID_RECOVERY_CODE","currentRecoveryPukIndex":1,"message":"POWER_AUTH_RECOVERY_INVALID"}}"#
        )
        #expect(bench.explanation.contains(because), "\(bench.explanation)")
    }

    @Test func `a lost phone is replaced by the code that came with it`() throws {
        let bench = try bench()
        let lost = try bench.phone()
        let (id, code) = try bench.register()
        let recovery = try #require(try lost.activate(.init(.code(code)), pin: MobileBench.pin).recovery)
        let phone = try bench.phone()
        bench.expectRefusal(
            400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID",
            because: "The recovery code is CREATED, expected ACTIVE."
        ) {
            try phone.activate(.init(.recovery(code: recovery.code, puk: recovery.puk)), pin: MobileBench.pin)
        }
        try bench.commit(id)

        expectWrongPUK(bench, phone, recovery.code, because: "number 1 is due. 1 attempt is left.")
        let result = try phone.activate(
            .init(.recovery(code: recovery.code, puk: recovery.puk)), pin: MobileBench.pin)

        #expect(try bench.stored(id).state == .removed)
        let fresh = try bench.stored(result.activationID)
        #expect(fresh.user == "ada" && fresh.state == .active)
        #expect(result.recovery != nil && result.recovery != recovery)
        try phone.validate(with: .pin(MobileBench.pin))
        bench.expectRefusal(
            400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID",
            because: "All PUKs of the recovery code are used: it is REVOKED."
        ) {
            try phone.activate(.init(.recovery(code: recovery.code, puk: recovery.puk)), pin: MobileBench.pin)
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `a printed code is confirmed by its user`(_ version: Device.Version) throws {
        let bench = try bench()
        let phone = try bench.activePhone(version)
        #expect(try phone.confirmRecovery(Self.printed, with: .pin(MobileBench.pin)) == false)
        #expect(try phone.confirmRecovery(Self.printed, with: .pin(MobileBench.pin)) == true)
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_RECOVERY_CONFIRM_ERROR",
            because: "The user ada has no recovery code AAAAA-AAAAA-AAAAA-AAAAA for bank."
        ) { _ = try phone.confirmRecovery("AAAAA-AAAAA-AAAAA-AAAAA", with: .pin(MobileBench.pin)) }
        bench.expectUnsigned(because: "does not accept possession_biometry") {
            _ = try phone.confirmRecovery(Self.printed, with: .biometry)
        }
        phone.faults.breaksMAC = true
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_RECOVERY_CONFIRM_ERROR", because: "The mac of"
        ) { _ = try phone.confirmRecovery(Self.printed, with: .pin(MobileBench.pin)) }
    }

    @Test func `wrong PUKs block the code`() throws {
        let bench = try bench()
        let phone = try bench.activePhone()
        _ = try phone.confirmRecovery(Self.printed, with: .pin(MobileBench.pin))
        let other = try bench.phone()
        expectWrongPUK(bench, other, Self.printed, because: "1 attempt is left.")
        expectWrongPUK(bench, other, Self.printed, because: "The recovery code is blocked.")
        #expect(try states(Self.printed, bench) == ["BLOCKED", "INVALID", "INVALID"])
        bench.expectRefusal(
            400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID",
            because: "is BLOCKED, expected ACTIVE"
        ) {
            try other.activate(
                .init(.recovery(code: Self.printed, puk: "0123456789")), pin: MobileBench.pin)
        }
        bench.expectRefusal(
            401, "ERR_AUTHENTICATION", "POWER_AUTH_RECOVERY_CONFIRM_ERROR", because: "is BLOCKED"
        ) { _ = try phone.confirmRecovery(Self.printed, with: .pin(MobileBench.pin)) }
        bench.expectRefusal(
            400, "INVALID_RECOVERY_CODE", "POWER_AUTH_RECOVERY_INVALID",
            because: "bank has no recovery code “AAAAA-AAAAA-AAAAA-AAAAA”."
        ) {
            try other.activate(
                .init(.recovery(code: "AAAAA-AAAAA-AAAAA-AAAAA", puk: "1")), pin: MobileBench.pin)
        }
    }
}
