import Essentials
import HTTP
import PlatformKit
@testable import PowerAuth
import PowerAuthDevice
import SQLite
import TestKit
import Testing
import TestKit

@Suite struct MobileOperationTests {
    @Test func `the list shows what waits, newest first, in the language of the device`() throws {
        let bench = try OperationBench()
        let first = try bench.create()
        bench.bench.time.advance(seconds: 1)
        let second = try bench.create(
            #""template": "payment", "userId": "ada", "parameters": {"amount": "63.99", "currency": "EUR"}"#)
        _ = try bench.create(#""template": "login", "userId": "bob""#)
        _ = try bench.create(#""template": "login""#)
        _ = try bench.create(#""template": "silent type", "userId": "ada""#)
        let list = try bench.phone.pendingOperations()
        #expect(list.map(\.id) == [second, first])
        let payment = try #require(list.first)
        #expect(payment.name == "payment" && payment.status == "PENDING" && payment.signatureType == "2FA")
        #expect(payment.variants == ["possession_knowledge"])
        #expect(
            payment.attributes == [
                [
                    "type": "AMOUNT", "id": "a", "label": "Amount", "amount": .number(63.99),
                    "currency": "EUR", "amountFormatted": "63.99", "currencyFormatted": "€",
                    "valueFormatted": "€63.99",
                ]
            ])
        #expect(payment.json["ui"] == nil)
    }

    @Test func `an approval leaves its facts`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        try bench.phone.authorizeOperation(
            id, data: "A2", with: .pin(OfficeBench.pin),
            mobileTokenData: ["visits": 2, "deep": ["x": [1, true]]])
        let shown = try bench.show(id)
        #expect(shown["status"] == "APPROVED" && shown["timestampFinalized"]?.integer == bench.office.now)
        let facts = try #require(shown["additionalData"]?.object)
        #expect(facts["authFactor"] == "possession_knowledge" && facts["applicationId"] == "bank")
        #expect(facts["ipAddress"] == "127.0.0.1" && facts["userAgent"]?.string?.isEmpty == false)
        #expect(facts["mobileTokenData"] == ["visits": 2, "deep": ["x": [1, true]]])
        #expect(facts["activationId"] == nil && facts["proximity_otp"] == nil)
    }

    @Test func `a wrong code counts twice, and the same operation can be tried again`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        #expect(bench.refusal { try bench.approve(id, pin: "0000") } == "401 POWERAUTH_AUTH_FAIL")
        #expect(try bench.show(id)["failureCount"] == 1)
        let stored = try bench.bench.world.database.read { db in
            try Activation.find(bench.registration, in: db)
        }
        #expect(stored?.failedAttempts == 1)
        try bench.approve(id)
        #expect(try bench.show(id)["status"] == "APPROVED")
    }

    @Test func `the attempt that uses up an operation says so`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "strict", "userId": "ada""#)
        #expect(bench.refusal { try bench.approve(id, pin: "0000") } == "401 POWERAUTH_AUTH_FAIL")
        #expect(bench.refusal { try bench.approve(id, pin: "0000") } == "400 OPERATION_ALREADY_FAILED")
        #expect(bench.refusal { try bench.approve(id) } == "400 OPERATION_ALREADY_FAILED")
    }

    @Test func `factors that the template does not allow fail an attempt`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "strict", "userId": "ada""#)
        let refused = bench.refusal { try bench.phone.authorizeOperation(id, data: "A2", with: .biometry) }
        #expect(refused == "401 OPERATION_FAILED")
        #expect(try bench.show(id)["failureCount"] == 1)
    }

    @Test func `every state but pending has its code, in detail, claim, approval and rejection`() throws {
        let bench = try OperationBench()
        func check(_ id: String, _ code: String) throws {
            let wanted = "400 " + code
            #expect(bench.refusal { _ = try bench.phone.operation(id) } == wanted)
            #expect(bench.refusal { _ = try bench.phone.claimOperation(id) } == wanted)
            #expect(bench.refusal { try bench.approve(id) } == wanted)
            #expect(bench.refusal { try bench.phone.rejectOperation(id) } == wanted)
        }
        let ids = try (0..<5).map { _ in try bench.create(#""template": "strict", "userId": "ada""#) }
        try bench.approve(ids[0])
        try check(ids[0], "OPERATION_ALREADY_FINISHED")
        try bench.phone.rejectOperation(ids[1])
        try check(ids[1], "OPERATION_ALREADY_FINISHED")
        bench.office.expectOK(bench.office.cloud(.delete, "/v2/operations/" + ids[2]))
        try check(ids[2], "OPERATION_ALREADY_CANCELED")
        for _ in 0..<2 { _ = try bench.decide(ids[3], data: "no") }
        try check(ids[3], "OPERATION_ALREADY_FAILED")
        bench.bench.time.advance(seconds: 300)
        try check(ids[4], "OPERATION_EXPIRED")
        try check(UUIDs.none, "INVALID_OPERATION")
    }

    @Test func `an operation of another user looks wrong, one of nobody can be read and claimed`() throws {
        let bench = try OperationBench()
        let foreign = try bench.create(#""template": "login", "userId": "bob""#)
        #expect(bench.refusal { _ = try bench.phone.operation(foreign) } == "400 INVALID_REQUEST")
        #expect(bench.refusal { _ = try bench.phone.claimOperation(foreign) } == "400 INVALID_OPERATION")
        #expect(bench.refusal { try bench.approve(foreign) } == "400 INVALID_OPERATION")
        #expect(try bench.show(foreign)["failureCount"] == 0)
        let free = try bench.create(#""template": "login""#)
        #expect(try bench.phone.operation(free).id == free)
        #expect(try bench.phone.pendingOperations().isEmpty)
        #expect(try bench.phone.claimOperation(free).id == free)
        #expect(try bench.phone.pendingOperations().map(\.id) == [free])
        try bench.approve(free)
    }

    @Test func `without a mobile template there is nothing to show`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "silent type", "userId": "ada""#)
        #expect(bench.refusal { _ = try bench.phone.operation(id) } == "400 INVALID_REQUEST")
        let response = try bench.office.object(
            bench.bench.get("/enrollment-server/api/admin/template"))
        #expect(response["responseObject"]?.array?.count == 3)
    }

    @Test func `flags of operation and registration have to fit`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "login", "userId": "ada", "flag": "VIP""#)
        #expect(
            try bench.phone.pendingOperations().map(\.id) == [id], "a device without flags sees everything")
        #expect(bench.refusal { try bench.approve(id) } == "400 OPERATION_REQUIRES_ACTIVATION_FLAG")
        _ = bench.office.manage(
            "activation/flags/update",
            #"{"activationId": "\#(bench.registration)", "activationFlags": ["X"]}"#)
        #expect(try bench.phone.pendingOperations().isEmpty)
        _ = bench.office.manage(
            "activation/flags/update",
            #"{"activationId": "\#(bench.registration)", "activationFlags": ["VIP"]}"#)
        #expect(try bench.phone.pendingOperations().map(\.id) == [id])
        try bench.approve(id)
        let other = try bench.create()
        _ = bench.office.manage(
            "activation/flags/update",
            #"{"activationId": "\#(bench.registration)", "activationFlags": ["VERIFICATION_PENDING"]}"#)
        #expect(bench.refusal { try bench.approve(other) } == "401 POWERAUTH_AUTH_FAIL")
    }

    @Test func `a proximity code from the screen approves`() throws {
        let bench = try OperationBench()
        let id = try bench.create(#""template": "near", "userId": "ada""#)
        let otp = try #require(try bench.show(id)["proximityOtp"]?.string)
        #expect(bench.refusal { try bench.approve(id) } == "401 OPERATION_FAILED")
        try bench.phone.authorizeOperation(
            id, data: "A2", with: .pin(OfficeBench.pin), proximity: ProximityCheck(otp: otp))
        #expect(try bench.show(id)["status"] == "APPROVED")
    }

    @Test func `the history has every state`() throws {
        let bench = try OperationBench()
        let done = try bench.create()
        try bench.approve(done)
        bench.bench.time.advance(seconds: 1)
        let open = try bench.create()
        let history = try bench.phone.operationHistory(with: .pin(OfficeBench.pin))
        #expect(history.map(\.id) == [open, done] && history.map(\.status) == ["PENDING", "APPROVED"])
        let refused = bench.refusal { _ = try bench.phone.operationHistory(with: .pin("0000")) }
        #expect(refused == "401 POWERAUTH_AUTH_FAIL")
    }

    @Test func `without a token or a body nobody is known`() throws {
        let bench = try OperationBench()
        for path in ["list", "detail", "detail/claim", "history", "authorize", "cancel"] {
            let response = bench.bench.post(
                "/enrollment-server/api/auth/token/app/operation/" + path, raw: "{}")
            #expect(response.status == .unauthorized)
            #expect(try bench.office.result(response)["code"] == "POWERAUTH_AUTH_FAIL")
        }
    }
}

private enum UUIDs {
    static let none = "00000000-0000-4000-8000-000000000000"
}
