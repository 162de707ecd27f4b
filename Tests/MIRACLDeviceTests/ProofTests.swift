import DeviceKit
import Essentials
import HTTP
import MIRACLDevice
import PlatformKit
import TestKit
import Testing

@Suite struct ProofTests {
    private static let generations: [MIRACLDevice.Generation] = [.classic, .mfa, .olderTrust, .trust]

    private static func wrongPIN(_ generation: MIRACLDevice.Generation) -> (String, String) {
        generation == .classic || generation == .mfa
            ? ("401 INCORRECT_PIN 11", "410 INCORRECT_PIN 11")
            : (
                "401 AuthenticationException.UnsuccessfulAuthentication",
                "410 AuthenticationException.Revoked"
            )
    }

    @Test(arguments: generations)
    func `the third wrong PIN blocks the device, which forgets its token`(
        _ generation: MIRACLDevice.Generation
    ) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        var stolen = device
        let (wrong, blocked) = Self.wrongPIN(generation)
        func guess() throws -> String {
            try refusal { _ = try device.logIn(pin: Stage.wrong, using: stage.services) }
        }

        #expect(try guess() == wrong)
        #expect(try guess() == wrong)
        #expect(device.state == .registered)
        #expect(try guess() == blocked)
        #expect(device.state == .blocked)
        #expect(device.identity == nil)
        #expect(
            try refusal { _ = try stolen.logIn(pin: Stage.pin, using: stage.services) } == blocked,
            "a copy of the device with the right PIN is too late")
    }

    @Test(arguments: generations)
    func `a right PIN between wrong ones forgives them`(_ generation: MIRACLDevice.Generation) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        for _ in 1...2 {
            for _ in 1...2 {
                _ = try refusal { _ = try device.logIn(pin: Stage.wrong, using: stage.services) }
            }
            _ = try device.logIn(pin: Stage.pin, using: stage.services)
        }
    }

    @Test(arguments: generations)
    func `an answer to another number than the server's is no proof`(
        _ generation: MIRACLDevice.Generation
    ) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        device.faults.breaksProof = true
        let answer = try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
        #expect(answer == Self.wrongPIN(generation).0)
    }

    @Test func `a commitment beside the curve is refused before anything is proved`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        device.faults.commitsBesideCurve = true
        #expect(
            try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
                == "400 HTTP_REQUEST_ERROR 14")
    }

    @Test func `each pass is good once`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        device.faults.sendsTwice = true
        #expect(
            try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
                == "403 IDENTITY_NOT_AUTHORIZED 7")
    }

    @Test func `what a right proof was told for is given once`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        var last: DeviceRequest?
        let overheard = DeviceServices(
            clock: { stage.services.now }, random: { stage.services.draw($0) },
            transport: { request in
                if request.path.hasSuffix("/authenticate") { last = request }
                return try stage.services.send(request)
            })
        _ = try device.logIn(pin: Stage.pin, using: overheard)

        #expect(try stage.services.send(#require(last)).status != 200)
    }

    @Test func `an id that nobody has and the key of another are refused`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        let other = try stage.registered(.trust, user: "eve@example.org")
        device.faults.mpinID = "7b7d"
        #expect(
            try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
                == "403 AuthenticationException.Revoked")
        device.faults.mpinID = nil
        device.faults.publicKey = other.identity?.publicKey
        #expect(
            try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
                == "403 AuthenticationException.AuthenticationFail")
        device.faults = .init()
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
    }

    @Test func `a proof for a session that is over is told so`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        let session = try stage.openSession()
        let code = try MIRACLDevice.accessCode(inQR: session.qr)
        try stage.bench.clock.advance(seconds: 301)
        #expect(
            try refusal {
                _ = try device.logIn(
                    pin: Stage.pin, for: .openID, accessCode: code, using: stage.services)
            } == "412 INCORRECT_ACCESS_NUMBER 12")
    }

    @Test func `the classic client proves under the permit of the day, and not under yesterday's`() throws {
        let stage = try Stage("\"time_permits\": true,")
        var device = try stage.registered(.classic)
        let without = try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
        #expect(without.hasPrefix("4"))
        try device.startAuthentication(using: stage.services)
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
        try stage.bench.clock.advance(seconds: 86_400)
        #expect(
            try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
                == "401 INCORRECT_PIN 11")
        try device.startAuthentication(using: stage.services)
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
    }

    @Test(arguments: [MIRACLDevice.Generation.mfa, .olderTrust, .trust])
    func `new master shares reach a device at its next login, and the PIN stays`(
        _ generation: MIRACLDevice.Generation
    ) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        let before = try #require(device.identity)
        try stage.change("rotate", "blue")
        _ = try device.logIn(pin: Stage.pin, for: .oneTimePassword, using: stage.services)
        let after = try #require(device.identity)
        #expect(after.token != before.token)
        #expect((after.mpinID == before.mpinID) == (generation != .trust))
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
    }
}
