import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

@Suite struct OfflineOperationTests {
    private func qr(_ bench: OperationBench, _ id: String) throws -> [String: JSONValue] {
        try bench.office.object(
            bench.office.cloud(.get, "/v2/operations/\(id)/offline/qr?registrationId=\(bench.registration)"))
    }

    private func verify(_ bench: OperationBench, _ id: String, _ otp: String, _ nonce: String) -> Response {
        bench.office.cloud(
            .post, "/v2/operations/\(id)/offline/otp",
            #"{"otp": "\#(otp)", "nonce": "\#(nonce)", "registrationId": "\#(bench.registration)"}"#)
    }

    @Test(arguments: ["login", "near"])
    func `a device without a network approves`(_ template: String) throws {
        let bench = try OperationBench()
        let id = try bench.create(
            #""template": "\#(template)", "userId": "ada", "parameters": {"name": "Ada\nL"}"#)
        let answer = try qr(bench, id)
        let read = try bench.phone.offlineOperation(#require(answer["operationQrCodeData"]?.string))
        #expect(read.id == id && read.title == "Login" && read.data == "A2")
        #expect(read.allowsBiometry == (template == "login"))
        #expect((read.proximityOTP != nil) == (template == "near"))
        #expect(read.signer == .activation && .string(read.nonce) == answer["nonce"])
        let code = try bench.phone.offlineCode(for: read, with: .pin(OfficeBench.pin))
        let result = try bench.office.object(verify(bench, id, code, read.nonce))
        #expect(result["otpValid"] == true && result["userId"] == "ada" && result["remainingAttempts"] == 5)
        #expect(result["signatureType"] == "possession_knowledge" && result["registrationStatus"] == "ACTIVE")
        let shown = try bench.show(id)
        #expect(shown["status"] == "APPROVED")
        #expect(shown["additionalData"]?["authFactor"] == "possession_knowledge")
    }

    @Test func `a wrong code counts on registration and operation`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        let nonce = try #require(try qr(bench, id)["nonce"]?.string)
        let result = try bench.office.object(verify(bench, id, "12345678-12345678", nonce))
        #expect(result["otpValid"] == false && result["remainingAttempts"] == 4)
        #expect(try bench.show(id)["failureCount"] == 1)
    }

    @Test func `a registration that is blocked is told with everything that clients read`() throws {
        let bench = try OperationBench()
        let id = try bench.create()
        let nonce = try #require(try qr(bench, id)["nonce"]?.string)
        bench.office.expectOK(
            bench.office.cloud(.put, "/v2/registrations/\(bench.registration)", #"{"change": "BLOCK"}"#))
        let result = try bench.office.object(verify(bench, id, "12345678-12345678", nonce))
        #expect(result["otpValid"] == false && result["registrationStatus"] == "BLOCKED")
        #expect(result["userId"] == "ada" && result["signatureType"] == "possession_knowledge")
        #expect(result["registrationId"] == .string(bench.registration) && result["remainingAttempts"] == 0)
        #expect(try bench.show(id)["failureCount"] == 0)
    }

    @Test(arguments: ["1234567-12345678", "abcdefgh-12345678", "12345678", "12345678-12345678-12345678"])
    func `a malformed code counts nothing`(_ code: String) throws {
        let bench = try OperationBench()
        let id = try bench.create()
        let response = verify(bench, id, code, "QUFBQUFBQUFBQUFBQUFBQQ==")
        #expect(try bench.office.result(response)["code"] == "ERROR_OTP_INVALID")
        #expect(try bench.show(id)["failureCount"] == 0)
    }
}
