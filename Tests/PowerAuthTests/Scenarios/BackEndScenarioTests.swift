import Essentials
import HTTP
import PowerAuthDevice
import TestKit
import Testing

/// “Implement Login in Mobile Apps” from end to end: a phone, the app's back end and the platform.
@Suite struct BackEndScenarioTests {
    private static let body = #"{"remember":true}"#

    private func expect(
        _ response: Response, _ status: Int, _ error: String? = nil,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        #expect(response.status.code == status, "\(response.text)", sourceLocation: sourceLocation)
        #expect(response.fields["error"] == error, sourceLocation: sourceLocation)
    }

    @Test(arguments: Device.Version.allCases)
    func `L6: the app hears 200, 401 or 403`(_ version: Device.Version) throws {
        let stage = try Stage()
        let app = try AppBackEnd(stage)
        let phone = try stage.makeActivePhone(version)
        func header(_ credential: Credential) throws -> String {
            try phone.authorization(uriID: "/login", body: Array(Self.body.utf8), with: credential)
        }
        for credential in [Credential.pin(Stage.pin), .biometry] {
            let answer = app.logIn(Self.body, header: try header(credential))
            expect(answer, 200)
            #expect(answer.fields["userId"] == "eva")
            #expect(answer.fields["registrationId"] == phone.activation?.id)
        }
        expect(app.logIn(Self.body + " ", header: try header(.biometry)), 401, "authentication_failed")
        expect(app.logIn(Self.body, header: try header(.pin("0000"))), 401, "authentication_failed")
        expect(app.logIn(Self.body, header: try header(.possession)), 403, "factors_insufficient")
        #expect(try phone.status().failedAttempts == 2)
    }

    @Test(arguments: Device.Version.allCases)
    func `O1 and O7: a login is confirmed once, in its session, within a minute of the approval`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let app = try AppBackEnd(stage)
        let phone = try stage.makeActivePhone(version)
        let request: JSONValue = ["registrationId": .string(try #require(phone.activation).id)]

        let started = app.begin(request.text)
        let id = try #require(started.fields["operationId"])
        #expect(try stage.operation(id)["userId"] == "eva")
        expect(app.confirm(started), 403, "not_approved")
        try phone.authorizeOperation(id, data: phone.operation(id).data, with: .pin(Stage.pin))
        expect(app.confirm(started, session: app.begin(request.text).fields["session"]), 403, "login_unknown")
        try app.advance(seconds: 59)
        let confirmed = app.confirm(started)
        expect(confirmed, 200)
        #expect(confirmed.fields["userId"] == "eva")
        expect(app.confirm(started), 403, "already_used")

        let slow = app.begin(request.text)
        try phone.authorizeOperation(
            #require(slow.fields["operationId"]), data: "A2", with: .biometry)
        try app.advance(seconds: 61)
        expect(app.confirm(slow), 403, "too_late")
    }

    @Test(arguments: Device.Version.allCases)
    func `T1 to T5: the device is the token's, at the start and at the end`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let app = try AppBackEnd(stage, requiresToken: true)
        let (phone, other) = (try stage.makeActivePhone(version), try stage.makeActivePhone(version))
        let id = try #require(phone.activation).id
        for device in [phone, other] { try device.createToken("LoginToken") }
        let foreign: JSONValue = ["registrationId": .string(try #require(other.activation).id)]
        expect(app.begin(foreign.text), 401, "authentication_required")

        for body in ["", foreign.text] {
            let header = try phone.tokenHeader("LoginToken")
            let started = app.begin(body, token: header)
            let operation = try #require(started.fields["operationId"])
            #expect(try stage.operation(operation)["registrationId"]?.string == id)
            expect(app.begin(body, token: header), 401, "authentication_failed")
            try phone.authorizeOperation(operation, data: "A2", with: .pin(Stage.pin))
            expect(app.confirm(started), 401, "authentication_required")
            expect(
                app.confirm(started, token: try other.tokenHeader("LoginToken")), 403, "device_mismatch")
            expect(app.confirm(started, token: try phone.tokenHeader("LoginToken")), 200)
        }
        try stage.change(phone, "BLOCK")
        expect(app.begin("", token: try phone.tokenHeader("LoginToken")), 401, "authentication_failed")
    }
}
