import Crypto
import DeviceKit
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OneginiDevice

/// What a device sends that does not keep to the protocol, one thing changed at a time.
@Suite struct HostileDeviceTests {
    private static let notFound = "404 ONGMobileAuthRequestErrorNotFound 10013"

    @Test func `nothing is handed out for another profile than the token's`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let stranger = try #require(try stage.enrolled("grace").profiles.first).id
        let own = try #require(device.profiles.first).id
        let (_, otp) = try stage.startOTP()
        let services = stage.services { request in
            request.body = Array(
                String(decoding: request.body, as: UTF8.self).replacing(own, with: stranger).utf8)
        }

        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: services) }
                == "403 ONGGenericErrorRequestInvalid 10015")
        #expect(try device.fetch(otp: otp, using: stage.services).message == "Log in?")
    }

    @Test func `a code that was answered is fetched no more`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (_, otp) = try stage.startOTP()
        try device.answer(
            device.fetch(otp: otp, using: stage.services), confirms: false, using: stage.services)

        #expect(try refusal { _ = try device.fetch(otp: otp, using: stage.services) } == Self.notFound)
    }

    @Test func `a code is not fetched as a push`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()

        #expect(
            try refusal { _ = try device.fetch(push: id, using: stage.services) }
                == "400 ONGMobileAuthRequestErrorNotHandleable 10018")
        #expect(try device.fetch(otp: otp, using: stage.services).transactionID == id)
    }

    @Test func `who knows the id of a transaction and not its code, fetches nothing`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()
        let guess = "{\"transaction_id\":\"\(id)\",\"otp\":\"\(String(repeating: "0", count: 64))\"}"

        #expect(
            try refusal {
                _ = try device.fetch(otp: Data(guess.utf8).base64EncodedString(), using: stage.services)
            } == Self.notFound)
        #expect(try device.fetch(otp: otp, using: stage.services).transactionID == id)
    }

    @Test func `an answer to what nobody has fetched is refused and ends nothing`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let question = try device.fetch(otp: stage.startOTP().otp, using: stage.services)
        let (other, otp) = try stage.startOTP()
        device.faults.transactionID = other
        let services = stage.services { $0.path = $0.path.replacing(question.transactionID, with: other) }

        #expect(
            try refusal { try device.answer(question, confirms: true, using: services) } == Self.notFound)
        device.faults = .init()
        #expect(try device.fetch(otp: otp, using: stage.services).transactionID == other)
    }

    @Test func `a push that asks for the PIN is not confirmed without one`() throws {
        let stage = try Stage()
        var device = try stage.enrolled(push: true)
        let id = try stage.startPush(to: device, "push_with_pin")
        let question = try device.fetch(push: id, using: stage.services)

        #expect(
            try refusal { try device.answer(question, confirms: true, using: stage.services) }
                == "400 ONGGenericErrorRequestInvalid 10015")
        #expect(try stage.result(id)["is_authenticated"] != true)
    }

    @Test func `what was to be signed is not confirmed unsigned`() throws {
        let stage = try Stage(
            mobile: #""types": [{"name": "push", "method": "PUSH", "signing": true}], "callback_retries": 0"#)
        var device = try stage.enrolled(push: true)
        let id = try stage.startPush(to: device, "push", [("signing_data", "100 EUR to Bob")])
        let question = try device.fetch(push: id, using: stage.services)
        var members = try #require(try JSONValue(parsing: [UInt8](JSONEncoder().encode(question))).object)
        #expect(members.removeValue(forKey: "signingData") == "100 EUR to Bob")
        let blind = try JSONDecoder().decode(
            OneginiDevice.Question.self, from: Data(JSONValue.object(members).bytes))

        #expect(
            try refusal { try device.answer(blind, confirms: true, using: stage.services) }
                == "400 ONGGenericErrorRequestInvalid 10015")
        #expect(try stage.result(id)["is_authenticated"] != true)
    }

    @Test func `another user's PIN proves nothing, also on the same push`() throws {
        let stage = try Stage()
        var device = try stage.enrolled(push: true)
        let other = try stage.enrolled("grace")
        let question = try device.fetch(
            push: stage.startPush(to: device, "push_with_pin"), using: stage.services)
        let token = try #require(Hex.decode(other.refreshToken(of: other.profiles[0], pin: Stage.pin)))
        device.profiles[0].masked = try DeviceSecrets.masked(
            token, pin: Stage.pin, clientID: #require(device.clientID), profileID: device.profiles[0].id)

        #expect(
            try refusal {
                try device.answer(question, confirms: true, pin: Stage.pin, using: stage.services)
            } == "401 ONGAuthenticationErrorInvalidPin 9009")
        #expect(try stage.result(question.transactionID)["is_authenticated"] != true)
    }

    @Test func `a copy of what is stored logs nobody in, and knows no access token`() throws {
        let stage = try Stage()
        let device = try stage.enrolled()
        var copy = device.copied

        #expect(device.accessToken != nil && copy.accessToken == nil)
        #expect(
            try refusal { try copy.logIn(pin: Stage.pin, using: stage.services) }
                == "400 ONGAuthenticationErrorInvalidPin 9009")
    }

    @Test func `an answer of another form ends the transaction`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()
        let question = try device.fetch(otp: otp, using: stage.services)
        device.faults.version = 0

        #expect(
            try refusal { try device.answer(question, confirms: true, using: stage.services) }
                == "400 ONGGenericErrorRequestInvalid 10015")
        #expect(try stage.result(id)["not_authenticated_reason"]?["reason"] == "invalid_answer")
    }

    @Test func `other data than were to be signed are not verified`() throws {
        let stage = try Stage(
            mobile: #""types": [{"name": "push", "method": "PUSH", "signing": true}], "callback_retries": 0"#)
        var device = try stage.enrolled(push: true)
        let id = try stage.startPush(to: device, "push", [("signing_data", "100 EUR to Bob")])
        let question = try device.fetch(push: id, using: stage.services)
        device.faults.signedData = "900 EUR to Bob"

        try device.answer(question, confirms: true, using: stage.services)
        #expect(try stage.result(id)["signature_verified"] == false)
    }

    @Test func `a challenge is good for ten minutes`() throws {
        let stage = try Stage()
        var device = stage.device()
        let late = stage.services { request in
            if request.path.hasSuffix("/clients") { try stage.bench.clock.advance(seconds: 600) }
        }

        #expect(
            try refusal { try device.register(using: late) }
                == "400 ONGGenericErrorDeviceRegistrationFailure 9008")
    }

    @Test func `an enrollment that is not acknowledged within two minutes is dropped`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        let late = stage.services { request in
            if request.path.hasSuffix("/ack") { try stage.bench.clock.advance(seconds: 120) }
        }

        #expect(
            try refusal {
                try device.enroll(key: Vectors.openPGP("device_rsa_private_pkcs8_pem"), using: late)
            } == "404 ONGGenericErrorRequestInvalid 10015")
        let (_, otp) = try stage.startOTP()
        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: stage.services) }
                == "403 ONGMobileAuthRequestErrorNotEnrolled 9021")
    }

    @Test func `who logged in a quarter of an hour ago logs in again`() throws {
        let stage = try Stage(application: "\"access_token_lifetime\": 900,")
        var device = try stage.enrolled()
        try stage.bench.clock.advance(seconds: 900)
        let (_, otp) = try stage.startOTP()

        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: stage.services) }
                == "401 ONGMobileAuthRequestErrorUserNotAuthenticated 9010")
        try device.logIn(pin: Stage.pin, using: stage.services)
        #expect(try device.fetch(otp: otp, using: stage.services).message == "Log in?")
    }
}
