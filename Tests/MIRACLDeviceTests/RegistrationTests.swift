import Essentials
import HTTP
import MIRACLDevice
import PlatformKit
import TestKit
import Testing

@Suite struct RegistrationTests {
    @Test(arguments: [MIRACLDevice.Generation.classic, .mfa])
    func `a user registers once the mail is confirmed, and not before`(
        _ generation: MIRACLDevice.Generation
    ) throws {
        let stage = try Stage()
        var device = stage.device(generation)
        try device.setBackend(using: stage.services)
        try device.startRegistration(using: stage.services)
        #expect(device.state == .startedRegistration)

        #expect(
            try refusal { try device.confirmRegistration(using: stage.services) }
                == "401 IDENTITY_NOT_VERIFIED 8")
        #expect(device.state == .startedRegistration)
        try stage.openMail()
        try device.confirmRegistration(using: stage.services)
        #expect(device.state == .activated)
        try device.finishRegistration(pin: Stage.pin)

        #expect(device.state == .registered)
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
    }

    @Test func `another mail is sent for the same registration`() throws {
        let stage = try Stage()
        var device = stage.device(.mfa)
        try device.setBackend(using: stage.services)
        try device.startRegistration(using: stage.services)
        try device.restartRegistration(using: stage.services)
        #expect(try stage.bench.messages.count == 2)
        try stage.openMail()
        try device.confirmRegistration(using: stage.services)
        try device.finishRegistration(pin: Stage.pin)
        _ = try device.logIn(pin: Stage.pin, for: .oneTimePassword, using: stage.services)
    }

    @Test func `a registration expires`() throws {
        let stage = try Stage("\"lifetimes\": {\"registration\": 60},")
        var device = stage.device(.mfa)
        try device.setBackend(using: stage.services)
        try device.startRegistration(using: stage.services)
        try stage.bench.clock.advance(seconds: 60)
        #expect(
            try refusal { try device.confirmRegistration(using: stage.services) }
                == "404 REGISTRATION_EXPIRED 19")
    }

    @Test func `an activation code that nobody gave registers nobody`() throws {
        let stage = try Stage()
        var device = stage.device(.mfa)
        try device.setBackend(using: stage.services)
        #expect(
            try refusal {
                try device.startRegistration(activationCode: "123456", using: stage.services)
            } == "403 IDENTITY_NOT_AUTHORIZED 7")
        #expect(device.state == .invalid)
    }

    @Test(arguments: [MIRACLDevice.Generation.trust, .olderTrust])
    func `Trust registers by an activation token, which is good once`(
        _ generation: MIRACLDevice.Generation
    ) throws {
        let stage = try Stage()
        var device = stage.device(generation)
        let token = try stage.activationToken(device)
        try device.register(activationToken: token, pin: Stage.pin, using: stage.services)
        #expect(try device.logIn(pin: Stage.pin, for: .token, using: stage.services).token != nil)

        var second = stage.device(generation)
        #expect(
            try refusal {
                try second.register(activationToken: token, pin: Stage.pin, using: stage.services)
            } == "403 RegistrationException.InvalidActivationToken")
        #expect(second.state == .invalid)
    }

    @Test func `a wrong or expired code of the mail gives no token`() throws {
        let stage = try Stage("\"lifetimes\": {\"verification\": 60},")
        let device = stage.device(.trust)
        #expect(try device.askForMail(using: stage.services) == "link")
        let wrong = try refusal { _ = try device.confirm(code: "0", using: stage.services) }
        #expect(wrong.hasSuffix("ActivationTokenException.UnsuccessfulVerification"))
        try stage.bench.clock.advance(seconds: 60)
        let late = try refusal { _ = try device.confirm(code: stage.newestCode(), using: stage.services) }
        #expect(late.hasSuffix("ActivationTokenException.UnsuccessfulVerification"))
    }

    @Test func `two mails at once are one too many`() throws {
        let stage = try Stage(backoff: 10)
        let device = stage.device(.trust)
        _ = try device.askForMail(using: stage.services)
        #expect(
            try refusal { _ = try device.askForMail(using: stage.services) }
                == "429 VerificationException.RequestBackoff")
    }

    @Test(arguments: [MIRACLDevice.Generation.trust, .olderTrust])
    func `a public key beside the curve registers nobody`(_ generation: MIRACLDevice.Generation) throws {
        let stage = try Stage()
        var device = stage.device(generation)
        let token = try stage.activationToken(device)
        device.faults.publicKey = String(repeating: "1", count: 256)
        let answer = try refusal {
            try device.register(activationToken: token, pin: Stage.pin, using: stage.services)
        }
        #expect(answer == "400 RegistrationException.RegistrationFail")
    }

    @Test func `another host than the back end is not spoken to`() throws {
        let stage = try Stage()
        let device = stage.device(.mfa)
        #expect(throws: (any Error).self) {
            try device.accessCode(authorizeURL: "https://elsewhere.example/authorize", using: stage.services)
        }
        #expect(stage.bench.journal.isEmpty)
    }

    @Test func `what is stored is the device as it was, without its faults`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        device.faults.breaksProof = true
        let stored = try JSONEncoder().encode(device)
        var copy = try JSONDecoder().decode(MIRACLDevice.self, from: stored)
        #expect(copy.identity == device.identity)
        #expect(!String(decoding: stored, as: UTF8.self).contains(Stage.pin))
        _ = try copy.logIn(pin: Stage.pin, using: stage.services)
    }
}
