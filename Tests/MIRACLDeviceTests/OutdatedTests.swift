import DeviceKit
import Essentials
import HTTP
import MIRACLDevice
import PlatformKit
import TestKit
import Testing

/// What a device brings too late, or to another project than its own.
@Suite struct OutdatedTests {
    private static let red = ", {\"id\": \"red\", \"name\": \"Red\"}"

    /// The clock goes on while a request is under way.
    private func late(_ stage: Stage, seconds: Int, _ isMeant: @escaping (String) -> Bool) -> DeviceServices {
        stage.services { request in
            if isMeant(request.path) { try stage.bench.clock.advance(seconds: Double(seconds)) }
        }
    }

    @Test(arguments: [
        (MIRACLDevice.Generation.mfa, "412 INCORRECT_ACCESS_NUMBER 12"),
        (.trust, "412 AuthenticationException.InvalidAuthenticationSession"),
    ])
    func `a proof for a session of another project is told that there is none`(
        _ generation: MIRACLDevice.Generation, _ expected: String
    ) throws {
        let stage = try Stage(others: Self.red)
        var device = try stage.registered(generation)
        let session = try stage.openSession(["projectId": "red"])
        let code = try MIRACLDevice.accessCode(inQR: session.qr)

        #expect(
            try refusal {
                _ = try device.logIn(
                    pin: Stage.pin, for: .openID, accessCode: code, using: stage.services)
            } == expected)
        let access = try stage.access(session.webOTT)
        #expect(access["status"] == "new" && access["userId"] == "")
    }

    @Test func `an access code is read for five minutes, and its page hears of the end`() throws {
        let stage = try Stage()
        let device = try stage.registered(.trust)
        let session = try stage.openSession()
        let code = try MIRACLDevice.accessCode(inQR: session.qr)
        try stage.bench.clock.advance(seconds: 300)

        #expect(
            try refusal { _ = try device.sessionDetails(code, using: stage.services) }
                == "404 AuthenticationSessionException.InvalidAuthenticationSession")
        #expect(try stage.access(session.webOTT)["status"] == "expired")
    }

    @Test(arguments: [
        (MIRACLDevice.Generation.classic, "408 REQUEST_EXPIRED 9"), (.mfa, "404 HTTP_REQUEST_ERROR 14"),
    ])
    func `the second share is given for a minute`(
        _ generation: MIRACLDevice.Generation, _ expected: String
    ) throws {
        let stage = try Stage()
        var device = stage.device(generation)
        try device.setBackend(using: stage.services)
        try device.startRegistration(using: stage.services)
        if device.state == .startedRegistration { try stage.openMail() }
        let late = late(stage, seconds: 60) { $0.hasSuffix("/clientSecret") || $0.contains("/secret/") }

        #expect(try refusal { try device.confirmRegistration(using: late) } == expected)
        #expect(device.state == .startedRegistration)
        try device.confirmRegistration(using: stage.services)
        try device.finishRegistration(pin: Stage.pin)
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
    }

    @Test(arguments: [
        ("/pass2", 15, "403 IDENTITY_NOT_AUTHORIZED 7"), ("/authenticate", 60, "408 REQUEST_EXPIRED 9"),
    ])
    func `each step of a proof follows in time`(_ path: String, _ seconds: Int, _ expected: String) throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        let late = late(stage, seconds: seconds) { $0.hasSuffix(path) }

        #expect(try refusal { _ = try device.logIn(pin: Stage.pin, using: late) } == expected)
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
    }

    @Test func `an identity ends with the time that its project gives`() throws {
        let stage = try Stage("\"lifetimes\": {\"identity\": 3600},")
        var device = try stage.registered(.mfa)
        _ = try device.logIn(pin: Stage.pin, using: stage.services)
        try stage.bench.clock.advance(seconds: 3600)

        #expect(
            try refusal { _ = try device.logIn(pin: Stage.pin, using: stage.services) }
                == "403 IDENTITY_NOT_AUTHORIZED 7")
    }

    @Test(arguments: [("red", Stage.user), ("blue", "eve@example.org")])
    func `a bootstrap code of another project or user registers nobody`(
        _ project: String, _ user: String
    ) throws {
        let stage = try Stage(others: Self.red)
        var other = try stage.registered(.mfa, user: user, project: project)
        let code = try other.quickCode(pin: Stage.pin, using: stage.services)
        var tablet = stage.device(.mfa)
        try tablet.setBackend(using: stage.services)

        #expect(
            try refusal {
                try tablet.startRegistration(activationCode: code.digits, using: stage.services)
            } == "403 IDENTITY_NOT_AUTHORIZED 7")
        #expect(tablet.state == .invalid)
        var own = stage.device(.mfa, user: user, project: project)
        try own.setBackend(using: stage.services)
        try own.startRegistration(activationCode: code.digits, using: stage.services)
    }

    @Test func `a signature of another project's user is none to this one's back end`() throws {
        let stage = try Stage(others: Self.red)
        var (own, other) = (
            try stage.registered(.trust), try stage.registered(.trust, project: "red")
        )
        let hash = String(repeating: "0a", count: 32)

        #expect(
            try stage.verify(other.sign(hash: hash, pin: Stage.pin, using: stage.services)) == .forbidden)
        #expect(try stage.verify(own.sign(hash: hash, pin: Stage.pin, using: stage.services)) == .ok)
    }

    @Test func `who knows the id of a registration and not its secret gets no share`() throws {
        let stage = try Stage()
        var device = stage.device(.mfa)
        try device.setBackend(using: stage.services)
        try device.startRegistration(using: stage.services)
        try stage.openMail()
        let guess = stage.services { request in
            guard let query = request.query, query.hasPrefix("regOTT=") else { return }
            request.query = "regOTT=" + String(repeating: "0", count: 32)
        }

        #expect(
            try refusal { try device.confirmRegistration(using: guess) } == "401 IDENTITY_NOT_VERIFIED 8")
        try device.confirmRegistration(using: stage.services)
    }
}
