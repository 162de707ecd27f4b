import DeviceKit
import Essentials
import HTTP
import OneginiDevice
import PlatformKit
import TestKit
import Testing

@Suite struct MobileAuthenticationTests {
    @Test(arguments: [(true, false), (true, true), (false, false), (false, true)])
    func `a QR code is confirmed or denied, signed or not`(_ confirms: Bool, _ signs: Bool) throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()
        let question = try device.fetch(otp: otp, using: stage.services)
        #expect(question.message == "Log in?")
        #expect(question.transactionID == id)
        let state = try device.answer(question, confirms: confirms, signs: signs, using: stage.services)
        #expect(state == (confirms ? "AUTHENTICATED" : "DENIED"))
        #expect(try stage.result(id)["is_authenticated"] == .boolean(confirms))
    }

    @Test func `keys that the device makes itself are as good`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        try device.enroll(using: stage.services)
        let question = try device.fetch(otp: stage.startOTP().otp, using: stage.services)
        let state = try device.answer(question, confirms: true, signs: true, using: stage.services)
        #expect(state == "AUTHENTICATED")
    }

    @Test func `a code is fetched once, by one device`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        var other = try stage.enrolled("grace")
        let (_, otp) = try stage.startOTP()
        let question = try device.fetch(otp: otp, using: stage.services)
        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: stage.services) }
                == "409 ONGMobileAuthRequestErrorAlreadyHandled 9029")
        #expect(
            try refusal { _ = try other.fetch(otp: otp, using: stage.services) }
                == "404 ONGMobileAuthRequestErrorNotFound 10013")
        #expect(
            try refusal { try other.answer(question, confirms: true, using: stage.services) }
                == "404 ONGMobileAuthRequestErrorNotFound 10013")
    }

    @Test func `an answer is given once`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()
        let question = try device.fetch(otp: otp, using: stage.services)
        device.faults.sendsTwice = true
        #expect(
            try refusal { try device.answer(question, confirms: true, using: stage.services) }
                == "409 ONGMobileAuthRequestErrorAlreadyHandled 9029")
        #expect(try stage.result(id)["is_authenticated"] == true, "the first of the two was right")
    }

    @Test func `an expired code is not found, and neither is one that nobody made`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (_, otp) = try stage.startOTP()
        try stage.bench.clock.advance(seconds: 600)
        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: stage.services) }
                == "404 ONGMobileAuthRequestErrorNotFound 10013")
        #expect(
            try refusal { _ = try device.fetch(otp: "bm8=", using: stage.services) }
                == "400 ONGMobileAuthRequestErrorNotHandleable 10018")
    }

    @Test func `an answer too late changes nothing`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()
        let question = try device.fetch(otp: otp, using: stage.services)
        try stage.bench.clock.advance(seconds: 600)
        #expect(
            try refusal { try device.answer(question, confirms: true, using: stage.services) }
                == "404 ONGMobileAuthRequestErrorNotFound 10013")
        #expect(try stage.result(id)["is_authenticated"] != true)
    }

    @Test(arguments: ["challenge", "transaction", "message", "signer"])
    func `an answer that does not hold ends the transaction`(_ fault: String) throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let (id, otp) = try stage.startOTP()
        let question = try device.fetch(otp: otp, using: stage.services)
        switch fault {
        case "challenge": device.faults.challenge = String(repeating: "0", count: 32)
        case "transaction": device.faults.transactionID = "cf51a27a-df80-42ad-bdd7-936c476b2c87"
        case "message": device.faults.breaksMessage = true
        default:
            device.faults.signingKey = try Vectors.openPGP("server_encryption_subkey_private_pkcs8_pem")
        }
        #expect(
            try refusal {
                try device.answer(question, confirms: true, signs: true, using: stage.services)
            } == "400 ONGGenericErrorRequestInvalid 10015")
        #expect(try stage.result(id)["is_authenticated"] != true)
        device.faults = .init()
        #expect(
            try refusal { try device.answer(question, confirms: true, using: stage.services) }
                == "409 ONGMobileAuthRequestErrorAlreadyHandled 9029")
    }

    @Test func `who is not enrolled, or no more, or logged out, can answer nothing`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        let (_, otp) = try stage.startOTP()
        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: stage.services) }
                == "403 ONGMobileAuthRequestErrorNotEnrolled 9021")
        var enrolled = try stage.enrolled("grace")
        try enrolled.disenroll(using: stage.services)
        #expect(
            try refusal { _ = try enrolled.fetch(otp: otp, using: stage.services) }
                == "403 ONGMobileAuthRequestErrorNotEnrolled 9021")
        device.faults.accessToken = String(repeating: "0A", count: 32)
        #expect(
            try refusal { _ = try device.fetch(otp: otp, using: stage.services) }
                == "401 ONGMobileAuthRequestErrorUserNotAuthenticated 9010")
    }

    @Test func `after a logout the SDK asks for the PIN, and the old token opens nothing`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        var stale = device
        let (_, otp) = try stage.startOTP()
        try device.logOut(using: stage.services)
        #expect(throws: DeviceError.self) { try device.fetch(otp: otp, using: stage.services) }
        #expect(
            try refusal { _ = try stale.fetch(otp: otp, using: stage.services) }
                == "401 ONGMobileAuthRequestErrorUserNotAuthenticated 9010")
        try device.logIn(pin: Stage.pin, using: stage.services)
        let question = try device.fetch(otp: otp, using: stage.services)
        #expect(try device.answer(question, confirms: true, using: stage.services) == "AUTHENTICATED")
    }

    @Test func `a push waits on the device and is answered there`() throws {
        let stage = try Stage()
        var device = try stage.enrolled(push: true)
        let id = try stage.startPush(to: device)
        let pending = try #require(try device.pending(using: stage.services).first)
        #expect(pending.transactionID == id)
        #expect(pending.message == "Pay?")
        let question = try device.fetch(push: id, using: stage.services)
        #expect(try device.answer(question, confirms: true, using: stage.services) == "AUTHENTICATED")
        #expect(try device.pending(using: stage.services).isEmpty)
        #expect(try stage.result(id)["is_authenticated"] == true)
    }

    @Test func `a push is no business of a device that it is not for`() throws {
        let stage = try Stage()
        let device = try stage.enrolled(push: true)
        var other = try stage.enrolled("grace", push: true)
        let id = try stage.startPush(to: device)
        #expect(try other.pending(using: stage.services).isEmpty)
        #expect(
            try refusal { _ = try other.fetch(push: id, using: stage.services) }
                == "404 ONGMobileAuthRequestErrorNotFound 10013")
    }

    @Test func `a push that asks for the PIN counts wrong ones and stays open`() throws {
        let stage = try Stage(application: "\"max_pin_attempts\": 3,")
        var device = try stage.enrolled(push: true)
        let id = try stage.startPush(to: device, "push_with_pin")
        let question = try device.fetch(push: id, using: stage.services)
        #expect(
            try refusal {
                try device.answer(question, confirms: true, pin: Stage.wrong, using: stage.services)
            } == "401 ONGAuthenticationErrorInvalidPin 9009")
        let state = try device.answer(question, confirms: true, pin: Stage.pin, using: stage.services)
        #expect(state == "AUTHENTICATED")
        #expect(try stage.result(id)["is_authenticated"] == true)
    }

    @Test func `the last wrong PIN of a push takes the user off the device`() throws {
        let stage = try Stage(application: "\"max_pin_attempts\": 2,")
        var device = try stage.enrolled(push: true)
        let question = try device.fetch(
            push: stage.startPush(to: device, "push_with_pin"), using: stage.services)
        for expected in [
            "401 ONGAuthenticationErrorInvalidPin 9009", "401 ONGGenericErrorUserDeregistered 9003",
        ] {
            #expect(
                try refusal {
                    try device.answer(question, confirms: true, pin: Stage.wrong, using: stage.services)
                } == expected)
        }
        #expect(device.profiles.isEmpty)
    }

    @Test func `data of a push are signed with the device's key`() throws {
        let types = #""types": [{"name": "push", "method": "PUSH", "signing": true}], "callback_retries": 0"#
        let stage = try Stage(mobile: types)
        var device = try stage.enrolled(push: true)
        func verified(_ device: inout OneginiDevice) throws -> JSONValue? {
            let id = try stage.startPush(to: device, "push", [("signing_data", "100 EUR to Bob")])
            let question = try device.fetch(push: id, using: stage.services)
            #expect(question.signingData == "100 EUR to Bob")
            try device.answer(question, confirms: true, using: stage.services)
            return try stage.result(id)["signature_verified"]
        }

        #expect(try verified(&device) == true)
        device.faults.signingKey = try Vectors.openPGP("server_encryption_subkey_private_pkcs8_pem")
        #expect(try verified(&device) == false)
    }

    @Test func `a push token belongs to one installation`() throws {
        let stage = try Stage()
        _ = try stage.enrolled(push: true)
        var other = try stage.enrolled("grace")
        #expect(
            try refusal { try other.enrollPush(token: "push-of-ada", using: stage.services) }
                == "409 ONGMobileAuthEnrollmentErrorDeviceAlreadyEnrolled 9016")
    }
}
