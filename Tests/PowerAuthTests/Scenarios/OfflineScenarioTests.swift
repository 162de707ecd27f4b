import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// An operation that a device without a network approves by a code that is typed.
@Suite struct OfflineScenarioTests {
    /// The QR code of an operation and its nonce.
    private func code(
        _ stage: Stage, _ id: String, _ phone: Device
    ) throws -> (operation: OfflineOperation, nonce: String) {
        let registration = try #require(phone.activation).id
        let answer = try stage.backEnd(
            .get, "/v2/operations/\(id)/offline/qr?registrationId=\(registration)")
        let text = try #require(answer["operationQrCodeData"]?.string)
        return (try phone.offlineOperation(text), try #require(answer["nonce"]?.string))
    }

    private func verify(
        _ stage: Stage, _ id: String, _ phone: Device, otp: String, nonce: String
    ) throws -> JSONValue {
        try stage.backEnd(
            .post, "/v2/operations/\(id)/offline/otp",
            [
                "otp": .string(otp), "nonce": .string(nonce),
                "registrationId": .string(#require(phone.activation).id),
            ])
    }

    @Test(arguments: Device.Version.allCases, ["login", "knowledge", "near", "payment"])
    func `a code that was typed approves`(_ version: Device.Version, _ template: String) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let operation = try stage.startOperation(
            template, ["userId": "eva", "parameters": ["amount": "1", "currency": "CZK", "iban": "CZ1"]])
        let id = try #require(operation["operationId"]?.string)
        let (offline, nonce) = try code(stage, id, phone)
        #expect(offline.id == id)
        #expect(offline.nonce == nonce)
        #expect(offline.signer == .activation)
        #expect(offline.allowsBiometry == (template != "knowledge"))
        #expect((offline.proximityOTP == nil) == (template != "near"))
        #expect(offline.title == (template == "payment" ? "Payment" : "Log in"))

        let wrong = try phone.offlineCode(for: offline, with: .pin("0000"))
        let refused = try verify(stage, id, phone, otp: wrong, nonce: nonce)
        #expect(refused["otpValid"] == false)
        #expect(refused["remainingAttempts"] == 4)

        let right = try phone.offlineCode(for: offline, with: .pin(Stage.pin))
        let answer = try verify(stage, id, phone, otp: right, nonce: nonce)
        #expect(answer["otpValid"] == true)
        #expect(answer["userId"] == "eva")
        #expect(answer["registrationStatus"] == "ACTIVE")
        #expect(answer["signatureType"] == "possession_knowledge")
        #expect(answer["remainingAttempts"] == 5)
        #expect(try stage.operation(id)["status"] == "APPROVED")
    }

    @Test(arguments: Device.Version.allCases)
    func `biometry types a code where the template allows it`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        for (template, isValid) in [("login", true), ("knowledge", false)] {
            let id = try stage.startOperation(template, on: phone)
            let (offline, nonce) = try code(stage, id, phone)
            let typed = try phone.offlineCode(for: offline, with: .biometry).filter { $0 != "-" }
            #expect(try verify(stage, id, phone, otp: typed, nonce: nonce)["otpValid"]?.boolean == isValid)
        }
    }

    @Test func `a code that is no code is an error`() throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone()
        let id = try stage.startOperation("login", on: phone)
        let (_, nonce) = try code(stage, id, phone)
        let response = stage.cloud(
            .post, "/v2/operations/\(id)/offline/otp",
            [
                "otp": "1234-5678", "nonce": .string(nonce),
                "registrationId": .string(try #require(phone.activation).id),
            ])
        #expect(response.status.code == 400)
        #expect(try JSONValue(parsing: response.bytes)["responseObject"]?["code"] == "ERROR_OTP_INVALID")
    }
}
