import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

@Suite struct OperationCreationTests {
    @Test func `the answer has everything that back ends read`() throws {
        let bench = try OperationBench()
        let response = bench.office.cloud(
            .post, "/v2/operations",
            #"{"template": "login", "registrationId": "\#(bench.registration)", "operationType": "x"}"#)
        var shown = try bench.office.object(response)
        #expect(shown.removeValue(forKey: "operationId")?.string?.count == 36)
        #expect(
            shown == [
                "userId": "ada", "status": "PENDING", "template": "login", "operationType": "login",
                "parameters": [:], "additionalData": [:], "failureCount": 0, "maxFailureCount": 5,
                "timestampCreated": .integer(bench.office.now),
                "timestampExpires": .integer(bench.office.now + 300_000),
                "registrationId": .string(bench.registration),
            ])
    }

    @Test func `parameters stand in the data, escaped, and are kept as they came`() throws {
        let bench = try OperationBench()
        let id = try bench.create(
            #""template": "payment", "userId": "ada", "parameters": {"amount": "10", "currency": "EUR", "note": "a*b\\c\nd"}"#
        )
        #expect(try bench.phone.operation(id).data == "A1*A10EUR*I${account}*Na\\*b\\\\c\\nd")
        #expect(try bench.show(id)["parameters"]?["note"] == "a*b\\c\nd")
    }

    @Test(arguments: [
        (#""template": "nothing""#, "ERROR_REQUEST"), (#""userId": "ada""#, "ERROR_REQUEST"),
        (#""template": "login", "timestampExpires": 1767323045000"#, "ERROR_REQUEST"),
        (#""template": "login", "parameters": {"a": "\u0007"}"#, "ERROR_REQUEST"),
        (#""template": "login", "registrationId": "none""#, "ERROR_REGISTRATION_NOT_FOUND"),
    ])
    func `what cannot be made is refused`(_ members: String, _ code: String) throws {
        let bench = try OperationBench()
        let response = bench.office.cloud(.post, "/v2/operations", "{\(members)}")
        #expect(response.status == .badRequest)
        #expect(try bench.office.result(response)["code"]?.string == code)
        #expect(bench.bench.misshapenExplanations == [])
    }

    @Test func `the data has a limit, counted as it is written`() throws {
        let bench = try OperationBench()
        for (count, status) in [(32_000, Status.ok), (33_000, .badRequest)] {
            let note = String(repeating: "*", count: count)
            let response = bench.office.cloud(
                .post, "/v2/operations",
                #"{"template": "payment", "userId": "ada", "parameters": {"note": "\#(note)"}}"#)
            #expect(response.status == status)
        }
        #expect(bench.bench.misshapenExplanations == [])
    }

    @Test func `the device belongs to the user`() throws {
        let bench = try OperationBench()
        let response = bench.office.cloud(
            .post, "/v2/operations",
            #"{"template": "login", "userId": "bob", "registrationId": "\#(bench.registration)"}"#)
        #expect(try bench.office.result(response)["code"] == "ERROR_REQUEST")
    }

    @Test func `proximity is the template's unless the request says otherwise`() throws {
        let bench = try OperationBench()
        #expect(try bench.show(bench.create())["proximityOtp"] == nil)
        #expect(try bench.show(bench.create(#""template": "near""#))["proximityOtp"]?.string?.count == 8)
        let off = try bench.create(#""template": "near", "proximityCheckEnabled": false"#)
        #expect(try bench.show(off)["proximityOtp"] == nil)
        let on = try bench.create(#""template": "login", "proximityCheckEnabled": true"#)
        #expect(try bench.show(on)["proximityOtp"]?.string?.count == 8)
    }

    @Test func `both spellings of the path tell the same, to those who may hear it`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        let plural = bench.office.cloud(.get, "/v2/operations/" + id)
        let singular = bench.office.cloud(.get, "/v2/operation/" + id)
        #expect(plural.status == .ok && plural.bytes == singular.bytes)
        let stranger = bench.office.cloud(.get, "/v2/operations/" + id, as: OfficeBench.stranger)
        #expect(try bench.office.result(stranger)["code"] == "ERROR_OPERATION_NOT_FOUND")
    }

    @Test func `a cancellation has a reason, and comes once`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        let long = bench.office.cloud(
            .delete, "/v2/operations/\(id)?statusReason=" + String(repeating: "x", count: 33))
        #expect(try bench.office.result(long)["code"] == "ERROR_REQUEST")
        bench.office.expectOK(bench.office.cloud(.delete, "/v2/operations/\(id)?statusReason=TIMEOUT"))
        let shown = try bench.show(id)
        #expect(shown["status"] == "CANCELED" && shown["statusReason"] == "TIMEOUT")
        #expect(shown["timestampFinalized"] == nil)
        let again = bench.office.cloud(.delete, "/v2/operations/\(id)")
        #expect(try bench.office.result(again)["code"] == "ERROR_OPERATION_STATE_CHANGE")
        let history = try bench.phone.operationHistory(with: .pin(OfficeBench.pin))
        #expect(history.map(\.statusReason) == ["TIMEOUT"])
    }

    @Test func `lists are filtered and paged`() throws {
        let bench = try OperationBench()
        var ids: [String] = []
        for _ in 0..<3 {
            ids.append(try bench.create())
            bench.bench.time.advance(seconds: 1)
        }
        _ = bench.office.cloud(.delete, "/v2/operations/" + ids[0])
        func list(_ query: String) throws -> [String] {
            let response = bench.office.cloud(.get, "/v2/operations?" + query)
            let found = try #require(
                try bench.office.object(response)["operations"]?.array, "\(response.text)")
            return found.compactMap { $0["operationId"]?.string }
        }
        #expect(try list("userId=ada") == ids.reversed())
        #expect(try list("userId=ada&status=PENDING") == [ids[2], ids[1]])
        #expect(try list("userId=ada&page=1&size=2") == [ids[0]])
        #expect(try list("userId=ada&page=1000000000&size=1000") == [])
        #expect(try list("userId=bob") == [])
    }
}
