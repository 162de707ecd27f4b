import Crypto
import Essentials
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

@testable import PowerAuth

@Suite struct RegistrationRecordTests {
    private func record(_ bench: MobileBench, _ id: String) throws -> ConsoleRecord {
        try #require(try bench.platform.record(id))
    }

    private func facts(_ record: ConsoleRecord) -> [String: String] {
        Dictionary(record.facts.map { ($0.name, $0.value) }) { first, _ in first }
    }

    private func actions(_ record: ConsoleRecord) -> [String] { record.actions.map(\.name) }

    @Test func `a registration that waits for its device shows the code to scan`() throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register()

        let record = try record(bench, id)
        #expect(record.platform == "powerauth" && record.kind == "registration")
        #expect(record.user == "ada" && record.state == "CREATED")
        #expect(facts(record)["Activation code"] == code && facts(record)["Application"] == "bank")
        #expect(facts(record)["Ends unless complete"] == Timestamp.text(bench.bench.clock.now + 300))
        #expect(facts(record)["CTR_DATA"] == nil)
        #expect(record.steps.map(\.state) == ["CREATED"] && actions(record) == ["remove"])
        #expect(record.actions.last?.isFinal == true)

        // The device's own reading of what it scans.
        let scanned = try PowerAuthDevice.ActivationCode(parsing: #require(record.code))
        #expect(scanned.text == code)
        #expect(scanned.isSigned(by: try PrivateKey(pem: TestKeys.ec + "\n").publicKey))
    }

    @Test func `the code to scan stays the same as long as it is looked at`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.register()
        let codes = try (1...3).map { _ in try record(bench, id).code }
        #expect(Set(codes).count == 1)
    }

    @Test func `a registration that waits for its commit shows the fingerprint of its device`() throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register()
        let result = try bench.phone().activate(
            .init(.code(code), name: "Ada's phone", deviceInfo: "model 1"), pin: MobileBench.pin)

        let record = try record(bench, id)
        #expect(record.state == "PENDING_COMMIT" && record.title == "Ada's phone" && record.code == nil)
        #expect(facts(record)["Fingerprint"] == result.fingerprint)
        #expect(facts(record)["Device platform"] == "ios" && facts(record)["Device"] == "model 1")
        #expect(record.actions.first == ConsoleRecord.Action("commit", "Commit"))
    }

    @Test func `the commit asks for the OTP where one is checked then`() throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register(otp: "2468")
        try bench.phone().activate(.init(.code(code)), pin: MobileBench.pin)
        let otp = ConsoleRecord.Input("otp", "Activation OTP", isRequired: true)
        #expect(try record(bench, id).actions.first?.inputs == [otp])

        #expect(throws: ActivationRefusal.otpWrong(attemptsLeft: 4)) {
            try bench.platform.perform("commit", onRecord: id, ["otp": "1357"])
        }
        #expect(facts(try record(bench, id))["Wrong activation OTPs"] == "1")
        try bench.platform.perform("commit", onRecord: id, ["otp": "2468"])
        #expect(try record(bench, id).state == "ACTIVE")
    }

    @Test func `the OTP of a key exchange is not asked for once more`() throws {
        let bench = try MobileBench()
        let (id, code) = try bench.register(otp: "2468", .onKeyExchange)
        try bench.phone().activate(.init(.code(code), otp: "2468"), pin: MobileBench.pin)
        #expect(try record(bench, id).state == "ACTIVE")
    }

    @Test func `counters and tokens of an active registration are shown as the device moves them`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let id = try #require(phone.activation).id
        let before = facts(try record(bench, id))
        #expect(before["Counter"] == "0" && before["Tokens"] == nil)

        try phone.createToken("strong", with: .pin(MobileBench.pin))
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin("9999")) }
        let after = facts(try record(bench, id))
        #expect(after["Counter"] != "0" && after["CTR_DATA"] != before["CTR_DATA"])
        #expect(after["Tokens"]?.hasSuffix(", possession_knowledge") == true)
        #expect(after["Failed attempts"] == "1 of 5")
    }

    @Test func `a registration is blocked with a reason, unblocked and removed`() throws {
        let bench = try MobileBench()
        let phone = try bench.activePhone()
        let id = try #require(phone.activation).id
        #expect(try actions(record(bench, id)) == ["block", "remove"])

        try bench.platform.perform("block", onRecord: id, ["reason": "LOST"])
        let blocked = try record(bench, id)
        #expect(blocked.state == "BLOCKED" && facts(blocked)["Blocked reason"] == "LOST")
        #expect(actions(blocked) == ["unblock", "remove"])
        #expect(try phone.status().state == .blocked)

        try bench.platform.perform("unblock", onRecord: id, [:])
        #expect(try record(bench, id).state == "ACTIVE")
        try bench.platform.perform("remove", onRecord: id, [:])
        let removed = try record(bench, id)
        #expect(removed.state == "REMOVED" && removed.actions == [])
        #expect(
            removed.steps.map(\.state) == ["CREATED", "ACTIVE", "BLOCKED: LOST", "ACTIVE", "REMOVED"])
    }

    @Test func `an action that the state does not allow is refused`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.register()

        for action in ["block", "dance"] {
            #expect(throws: RecordRefusal.actionUnknown(action, known: ["remove"])) {
                try bench.platform.perform(action, onRecord: id, [:])
            }
        }
        #expect(throws: RecordRefusal.unknown("none")) {
            try bench.platform.perform("remove", onRecord: "none", [:])
        }
        #expect(try bench.platform.record("none") == nil)
    }

    @Test func `time that is over shows at once, and looking stores nothing`() throws {
        let bench = try MobileBench()
        let (id, _) = try bench.register()
        bench.bench.time.advance(seconds: 300)

        let record = try record(bench, id)
        #expect(record.state == "REMOVED" && record.code == nil && record.actions == [])
        #expect(record.steps.map(\.state) == ["CREATED", "REMOVED: EXPIRED"])
        #expect(try bench.stored(id).state == .created)
    }

    @Test func `registrations are listed newest first`() throws {
        let bench = try MobileBench()
        let first = try bench.register().id
        bench.bench.time.advance(seconds: 1)
        let second = try bench.register().id
        let listed = try bench.platform.records().filter { $0.kind == NewRegistration.kind }
        #expect(listed.map(\.id) == [second, first])
    }
}
