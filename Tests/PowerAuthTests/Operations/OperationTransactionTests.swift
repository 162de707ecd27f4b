import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

@Suite struct OperationTransactionTests {
    @Test func `the page shows what waits and decides it without a device`() throws {
        let bench = try OperationBench()
        let ids = try (0..<4).map { _ in
            try bench.create(#""template": "login", "userId": "ada", "parameters": {"name": "Ada"}"#)
        }
        let shown = try bench.platform.transactions()
        #expect(Set(shown.map(\.id)) == Set(ids))
        let first = try #require(shown.first)
        #expect(first.title == "Login: Do you log in, Ada?" && first.isOpen && first.user == "ada")
        #expect(first.actions == ["approve", "reject", "cancel", "expire"])
        let code = try #require(first.code)
        #expect(try bench.phone.offlineOperation(code).id == first.id)
        let decisions = [
            ("approve", "APPROVED"), ("reject", "REJECTED"), ("cancel:X", "CANCELED"), ("expire", "EXPIRED"),
        ]
        for (id, (action, state)) in zip(ids, decisions) {
            try bench.platform.decide(action, on: id)
            #expect(try bench.show(id)["status"]?.string == state)
            #expect(throws: TransactionRefusal.tooLate("approve", state: state)) {
                try bench.platform.decide("approve", on: id)
            }
        }
    }

    @Test func `what is decided in the console carries what a device would leave`() throws {
        let bench = try OperationBench()
        let device = try #require(bench.phone.activation).id
        for (action, state) in [("approve", "APPROVED"), ("reject", "REJECTED")] {
            let id = try bench.create(#""template": "login", "userId": "ada", "parameters": {"name": "Ada"}"#)
            try bench.platform.decide(action, on: id)
            let operation = try #require(
                try bench.bench.world.database.read { try Operation.find(id, in: $0) })
            #expect(operation.state.rawValue == state)
            let facts = operation.additionalData
            #expect(facts["activationId"] == .string(device))
            #expect(facts["ipAddress"] == "127.0.0.1")
            #expect(facts["userAgent"]?.string?.hasPrefix("UnderstudyNetworking/") == true)
            #expect(operation.additionalDataWithDevice["device"]?["platform"] == "Console")
        }
    }

    @Test func `who acts is said where nobody is known`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "near""#)
        let otp = try #require(try bench.show(id)["proximityOtp"]?.string)
        #expect(
            try bench.platform.transactions().first?.code == "powerauth://operation?oid=\(id)&totp=\(otp)")
        #expect(throws: TransactionRefusal.self) { try bench.platform.decide("approve", on: id) }
        #expect(throws: TransactionRefusal.self) { try bench.platform.decide("dance", on: id) }
        #expect(throws: TransactionRefusal.unknown("x")) { try bench.platform.decide("approve", on: "x") }
        try bench.platform.decide("approve:ada", on: id)
        let shown = try bench.show(id)
        #expect(shown["status"] == "APPROVED" && shown["userId"] == "ada")
    }
}
