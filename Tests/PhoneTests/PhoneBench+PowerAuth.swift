import DeviceKit
import Essentials
import HTTP
import PlatformKit
import Testing

@testable import Phone

/// What tests of the app of PowerAuth do alike, whichever SDK it has.
extension PhoneBench {
    /// A phone of ada's with SDK 2.x.
    static let nextPhone = #"{"name": "ada", "owner": "ada", "sdks": {"powerauth": "2.x"}}"#

    /// What the app shows under that name.
    func fact(_ name: String, of phone: String = "ada") throws -> String? {
        let app = try #require(center.look(at: phone, in: world).shownApps.first)
        return app.facts.first { $0.name == name }?.value
    }

    /// Has the owner do something in the app.
    func act(_ action: String, _ inputs: [String: String] = [:]) throws -> PhoneReport {
        try done { try $0.perform(action, inputs, at: nil) }
    }

    /// A phone scans a new code by that protocol; then the back end commits, once both say the same fingerprint.
    func scanAndCommit(speaking version: String) throws {
        let code = try code()
        var typed = TypedIn()
        typed.version = version
        let report = try done { [typed] in try $0.scan(code.text, typed) }
        #expect(report.kind == "activation" && report.id == code.id)
        let registration = try office(.get, "/v2/registrations/\(code.id)")
        #expect(registration["registrationStatus"] == "PENDING_COMMIT")
        #expect(registration["activationFingerprint"]?.string == report.code)
        try office(.post, "/v2/registrations/\(code.id)/commit", ["externalUserId": "clerk"])
    }

    /// The QR code of an operation for the app's activation, and its nonce.
    func offlineCode(of operation: String) throws -> (text: String, nonce: String) {
        let id = try #require(try fact("Activation"))
        let made = try office(.get, "/v2/operations/\(operation)/offline/qr?registrationId=\(id)")
        return (
            try #require(made["operationQrCodeData"]?.string), try #require(made["nonce"]?.string)
        )
    }

    /// Whether the back end takes what the phone showed for typing.
    func isRight(_ shown: String, for operation: String, nonce: String) throws -> Bool {
        let id = try #require(try fact("Activation"))
        let checked = try office(
            .post, "/v2/operations/\(operation)/offline/otp",
            ["otp": .string(shown), "nonce": .string(nonce), "registrationId": .string(id)])
        return checked["otpValid"] == true
    }

    /// Whether the back end takes a header of a login whose body is `{}`.
    func isRight(loginHeader value: String) throws -> Bool {
        try office(
            .post, "/v2/authentication/verify",
            ["method": "POST", "uriId": "/login", "requestBody": "e30=", "authHeader": .string(value)])[
                "signatureValid"] == true
    }
}
