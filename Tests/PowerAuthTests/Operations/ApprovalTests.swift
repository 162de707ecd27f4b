import Essentials
import HTTP
import PlatformKit
@testable import PowerAuth
import PowerAuthDevice
import SQLite
import TestKit
import Testing
import TestKit

@Suite struct ApprovalTests {
    private func code(_ result: Result<OperationResult, OperationRefusal>) -> String {
        switch result {
        case .success(let result): result.word.rawValue
        case .failure(let refusal): refusal.code.rawValue
        }
    }

    @Test func `each check has its outcome, in their order`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        // 1 to 5 count nothing, whatever else is wrong.
        #expect(code(try bench.decide("", application: "no")) == "ERR0024")
        #expect(code(try bench.decide(id, data: "")) == "ERR0024")
        #expect(code(try bench.decide("none", application: "no")) == "ERR0037")
        #expect(code(try bench.decide(id, user: "bob", application: "no")) == "ERR0015")
        #expect(code(try bench.decide(id, user: "bob", application: "shop", data: "A3")) == "ERR0037")
        #expect(try bench.show(id)["failureCount"] == 0)
        // 6 to 8 are failed attempts.
        #expect(code(try bench.decide(id, application: "shop")) == "APPROVAL_FAILED")
        #expect(code(try bench.decide(id, data: "A2 ")) == "APPROVAL_FAILED")
        #expect(code(try bench.decide(id, type: .possession)) == "APPROVAL_FAILED")
        #expect(try bench.show(id)["failureCount"] == 3)
        #expect(code(try bench.decide(id)) == "APPROVED")
        #expect(code(try bench.decide(id)) == "ERR0037")
    }

    @Test func `an operation of nobody is claimed before it is approved`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "login""#)
        #expect(code(try bench.decide(id)) == "ERR0037")
        #expect(try bench.show(id)["failureCount"] == 0)
        _ = try bench.phone.claimOperation(id)
        #expect(code(try bench.decide(id)) == "APPROVED")
    }

    @Test func `the last attempt ends the operation`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "strict", "userId": "ada""#)
        #expect(code(try bench.decide(id, type: .possessionBiometry)) == "APPROVAL_FAILED")
        #expect(code(try bench.decide(id, type: .possessionBiometry)) == "OPERATION_FAILED")
        let shown = try bench.show(id)
        #expect(shown["status"] == "FAILED" && shown["failureCount"] == 2)
        #expect(shown["timestampFinalized"]?.integer == bench.office.now)
        #expect(code(try bench.decide(id)) == "ERR0037")
    }

    @Test func `a bound operation takes the approval of its device alone`() throws {
        let bench = try OperationBench()
        let (other, otherID) = try bench.office.active()
        let id = try bench.create(#""template": "login", "registrationId": "\#(bench.registration)""#)
        #expect(try bench.show(id)["userId"] == "ada")
        #expect(try other.pendingOperations().isEmpty)
        #expect(try bench.phone.pendingOperations().map(\.id) == [id])
        let refused = bench.refusal {
            try other.authorizeOperation(id, data: "A2", with: .pin(OfficeBench.pin))
        }
        let refusedBecause = bench.bench.explanation
        #expect(refused == "401 OPERATION_FAILED")
        #expect(try bench.show(id)["failureCount"] == 1)
        #expect(refusedBecause?.contains(otherID) == true)
        try bench.approve(id)
        #expect(try bench.show(id)["status"] == "APPROVED")
    }

    @Test func `a proximity check takes the code of this step and of the one before`() throws {
        let bench = try OperationBench()
        for (wait, isRight) in [(0.0, true), (30, true), (61, false)] {
            let id = try bench.create(#""template": "near", "userId": "ada""#)
            let otp = try #require(try bench.show(id)["proximityOtp"]?.string)
            #expect(otp.count == 8)
            bench.bench.time.advance(seconds: wait)
            let result = code(try bench.decide(id, otp: otp))
            #expect(result == (isRight ? "APPROVED" : "APPROVAL_FAILED"))
        }
        let id = try bench.create(#""template": "near", "userId": "ada""#)
        #expect(code(try bench.decide(id)) == "APPROVAL_FAILED")
        #expect(code(try bench.decide(id, otp: "1234567")) == "APPROVAL_FAILED")
    }

    @Test func `an operation expires at its end, and not before`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        bench.bench.time.advance(seconds: 299)
        #expect(try bench.show(id)["status"] == "PENDING")
        bench.bench.time.advance(seconds: 1)
        #expect(try bench.show(id)["status"] == "EXPIRED")
        let stored = try bench.bench.world.database.read { try Operation.find(id, in: $0) }
        #expect(stored?.state == .expired, "who sees it has it stored, and callbacks called")
        #expect(bench.refusal { try bench.approve(id) } == "400 OPERATION_EXPIRED")
        #expect(try bench.show(id)["timestampFinalized"] == nil)
    }

    @Test func `expiry is stored once and told once`() throws {
        try withReceiver { receiver, url in
            let bench = try OperationBench(
                """
                "callbacks": [{"id": "ca11bac0-0000-4000-8000-000000000001", "application": "bank", "name": "told",
                    "type": "OPERATION_STATUS_CHANGE", "url": "\(url)/told", "attributes": ["status"]}]
                """)
            _ = try bench.create()
            try bench.office.awaitCallbacks(1)
            bench.bench.time.advance(seconds: 300)
            for _ in 1...2 { try bench.platform.change { _ in } }
            try bench.office.awaitCallbacks(2)
            #expect(try bench.office.events().count == 2)
            #expect(
                try receiver.bodies().map { $0["status"]?.string } == ["PENDING", "EXPIRED"])
        }
    }

    @Test func `expiry that a refused request found stays`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        bench.bench.time.advance(seconds: 300)
        let refused = bench.office.cloud(.delete, "/v2/operations/" + id)
        #expect(refused.status == .badRequest)
        let stored = try bench.bench.world.database.read { try Operation.find(id, in: $0) }
        #expect(stored?.state == .expired)
    }

    @Test func `a rejection needs the user, and counts nothing`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        let result = try bench.platform.change { turn in
            try bench.platform.operations.reject(
                id, OperationDecision(user: "bob", application: "bank", data: "", type: .possession),
                in: turn)
        }
        #expect(result.word == .rejectFailed)
        #expect(try bench.show(id)["failureCount"] == 0)
        try bench.phone.rejectOperation(id, reason: "INCORRECT_DATA")
        let shown = try bench.show(id)
        #expect(shown["status"] == "REJECTED")
        #expect(shown["additionalData"]?["rejectReason"] == "INCORRECT_DATA")
        #expect(shown["timestampFinalized"] != nil)
    }
}
