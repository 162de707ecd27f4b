import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import TestKit
import Testing

/// A login request with an authentication code, verified by the back end: “Implement Login in Mobile Apps”.
@Suite struct LoginScenarioTests {
    private static let body = #"{"username":"eva","remember":true}"#

    /// What the back end asks, with the header that the app sent.
    private func verify(
        _ stage: Stage, _ header: String, _ body: String = body, method: String = "POST",
        uriID: String = "/login", path: String = "/v2/authentication/verify"
    ) throws -> JSONValue {
        try stage.backEnd(
            .post, path,
            [
                "method": .string(method), "uriId": .string(uriID), "authHeader": .string(header),
                "requestBody": .string(Base64.encode(Array(body.utf8))),
            ])
    }

    private func header(_ phone: Device, _ credential: Credential) throws -> String {
        try phone.authorization(uriID: "/login", body: Array(Self.body.utf8), with: credential)
    }

    @Test(arguments: Device.Version.allCases, [DeviceStyle.ios, .android])
    func `L1 to L3 and L5: the back end hears who it is, by PIN and by biometry`(
        _ version: Device.Version, _ style: DeviceStyle
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version, style: style, flags: ["VIP", "TEST"])
        let id = try #require(phone.activation).id
        for (credential, path) in [
            (Credential.pin(Stage.pin), "/v2/authentication/verify"), (.biometry, "/v2/signature/verify"),
        ] {
            let answer = try verify(stage, header(phone, credential), path: path)
            #expect(answer["signatureValid"] == true)
            #expect(answer["userId"] == "eva")
            #expect(answer["registrationId"]?.string == id)
            #expect(answer["registrationStatus"] == "ACTIVE")
            #expect(answer["signatureType"]?.string == credential.factors)
            #expect(answer["remainingAttempts"] == 5)
            #expect(answer["flags"] == ["VIP", "TEST"])
            #expect(
                answer["application"] == ["id": "my-app", "roles": ["ROLE_RETAIL", "ROLE_LOGIN"]])
        }
    }

    @Test(arguments: Device.Version.allCases)
    func `L4: a byte, a resource or a method that differs costs an attempt`(
        _ version: Device.Version
    ) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let pin = Credential.pin(Stage.pin)
        let answers = [
            try verify(stage, header(phone, pin), Self.body + "\n"),
            try verify(stage, header(phone, pin), uriID: "/login/"),
            try verify(stage, header(phone, pin), method: "PUT"),
            try verify(stage, header(phone, .pin("0000"))),
        ]
        for (index, answer) in answers.enumerated() {
            #expect(answer["signatureValid"] == false)
            #expect(answer["remainingAttempts"]?.integer == 4 - index)
            #expect(answer["registrationStatus"] == "ACTIVE")
        }
        let last = try verify(stage, header(phone, .pin("0000")))
        #expect(last["registrationStatus"] == "BLOCKED")
        #expect(last["remainingAttempts"] == 0)
        #expect(last["blockedReason"] == "MAX_FAILED_ATTEMPTS")
        #expect(try verify(stage, header(phone, pin))["signatureValid"] == false)
    }

    @Test(arguments: Device.Version.allCases)
    func `L4: the same header is right once`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let sent = try header(phone, .pin(Stage.pin))
        #expect(try verify(stage, sent)["signatureValid"] == true)
        let again = try verify(stage, sent)
        #expect(again["signatureValid"] == false)
        #expect(again["remainingAttempts"] == 4)
    }

    @Test(arguments: Device.Version.allCases)
    func `L2: the parameters of a GET are verified`(_ version: Device.Version) throws {
        let stage = try Stage()
        let phone = try stage.makeActivePhone(version)
        let sent = try phone.authorization(
            "GET", uriID: "/login", body: Device.canonicalQuery("b=2&a=hello+world"), with: .pin(Stage.pin))
        let answer = try stage.backEnd(
            .post, "/v2/authentication/verify",
            [
                "method": "GET", "uriId": "/login", "authHeader": .string(sent), "requestBody": .null,
                "queryParams": ["a": "hello world", "b": "2"],
            ])
        #expect(answer["signatureValid"] == true)
    }

    @Test func `a header that cannot be read is an error, not a wrong code`() throws {
        let stage = try Stage()
        let response = stage.cloud(
            .post, "/v2/authentication/verify",
            ["method": "POST", "uriId": "/login", "authHeader": "PowerAuth nothing", "requestBody": ""])
        #expect(response.status.code == 400)
        #expect(
            try JSONValue(parsing: response.bytes)["responseObject"]?["code"] == "ERROR_SIGNATURE_INVALID")
    }
}
