import Essentials
import HTTP
@testable import PowerAuth
import PowerAuthDevice
import Testing
import TestKit


@Suite struct ManagedOperationTests {
    @Test func `an operation lives through the management API`() throws {
        let bench = try OperationBench()
        let office = bench.office
        let created = try office.result(
            office.manage(
                "operation/create",
                #"{"templateName": "login", "applications": ["bank"], "externalId": "x1", "additionalData": {"n": 1}}"#
            ))
        let id = try #require(created["id"]?.string)
        #expect(created["data"] == "A2" && created["status"] == "PENDING")
        #expect(created["signatureType"] == ["POSSESSION_KNOWLEDGE", "POSSESSION_BIOMETRY"])
        let claimed = try office.result(
            office.manage("operation/detail", #"{"operationId": "\#(id)", "userId": "ada"}"#))
        #expect(claimed["userId"] == "ada")
        let foreign = office.manage("operation/claim", #"{"operationId": "\#(id)", "userId": "bob"}"#)
        #expect(try office.result(foreign)["code"] == "ERR0034")
        let failed = try office.result(office.manage("operation/approve/fail", #"{"operationId": "\#(id)"}"#))
        #expect(failed["result"] == "APPROVAL_FAILED")
        let approval =
            #"{"operationId": "\#(id)", "userId": "ada", "applicationId": "bank", "data": "A2", "signatureType": "POSSESSION_KNOWLEDGE"}"#
        let approved = try office.result(office.manage("operation/approve", approval))
        #expect(approved["result"] == "APPROVED")
        #expect(approved["operation"]?["additionalData"]?["n"] == 1)
        #expect(try office.result(office.manage("operation/approve", approval))["code"] == "ERR0037")
        let cancel = office.manage("operation/cancel", #"{"operationId": "\#(id)"}"#)
        #expect(try office.result(cancel)["code"] == "ERR0036")
        for (path, key, value) in [("list", "userId", "ada"), ("list/external", "externalId", "x1")] {
            let listed = try office.object(
                office.manage("operation/" + path, #"{"\#(key)": "\#(value)", "applications": ["bank"]}"#))
            #expect(listed["responseObject"]?.array?.map { $0["id"] } == [.string(id)])
        }
        let pending = try office.object(
            office.manage("operation/list/pending", #"{"userId": "ada", "applications": ["bank"]}"#))
        #expect(pending["responseObject"] == [])
        let unknown = office.manage("operation/list", #"{"userId": "ada", "applications": ["nowhere"]}"#)
        #expect(try office.result(unknown)["code"] == "ERR0015")
        #expect(bench.bench.reports.lines == [] && bench.bench.misshapenExplanations == [])
    }

    @Test func `a template is made, changed and removed, and takes effect at once`() throws {
        let bench = try OperationBench()
        let office = bench.office
        let body =
            #""operationType": "login", "dataTemplate": "A9", "signatureType": ["POSSESSION"], "maxFailureCount": 1, "expiration": 9"#
        let made = try office.result(
            office.manage("operation/template/create", #"{"templateName": "new", \#(body)}"#))
        let number = try #require(made["id"]?.integer)
        let twice = office.manage("operation/template/create", #"{"templateName": "new", \#(body)}"#)
        #expect(try office.result(twice)["code"] == "ERR0039")
        let id = try bench.create(#""template": "new", "userId": "ada""#)
        #expect(try bench.phone.operation(id).data == "A9")
        #expect(try bench.phone.operation(id).signatureType == "1FA")
        _ = office.manage(
            "operation/template/update", #"{"id": \#(number), \#(body.replacing("A9", with: "A8"))}"#)
        #expect(try bench.phone.operation(bench.create(#""template": "new", "userId": "ada""#)).data == "A8")
        office.expectOK(office.manage("operation/template/remove", #"{"id": \#(number)}"#))
        let gone = office.manage("operation/template/detail", #"{"id": \#(number)}"#)
        #expect(try office.result(gone)["code"] == "ERR0033")
        #expect(office.cloud(.post, "/v2/operations", #"{"template": "new"}"#).status == .badRequest)
    }
}
