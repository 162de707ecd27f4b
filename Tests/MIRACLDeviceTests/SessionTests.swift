import Crypto
import DeviceKit
import Essentials
import HTTP
import MIRACLDevice
import PlatformKit
import TestKit
import Testing

@Suite struct SessionTests {
    @Test(arguments: [MIRACLDevice.Generation.mfa, .olderTrust, .trust])
    func `a page that waits is told of each step of the phone`(_ generation: MIRACLDevice.Generation) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        let session = try stage.openSession(["userId": .string(Stage.user)])
        let code = try MIRACLDevice.accessCode(inQR: session.qr)

        #expect(try device.sessionDetails(code, using: stage.services)["projectName"] == "Blue")
        #expect(try stage.access(session.webOTT)["status"] == "wid")
        try device.startAuthentication(code, using: stage.services)
        #expect(try stage.access(session.webOTT)["status"] == "user")
        _ = try device.logIn(pin: Stage.pin, for: .openID, accessCode: code, using: stage.services)
        let access = try stage.access(session.webOTT)
        #expect(access["status"] == "authenticated")
        #expect(access["userId"]?.string == Stage.user)
    }

    @Test func `the native SDK gets an authorization code for the app's back end`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        let code = try device.accessCode(authorizeURL: Stage.authorizeURL, using: stage.services)
        try device.startAuthentication(code, using: stage.services)
        let login = try device.logIn(
            pin: Stage.pin, for: .authorizationCode, accessCode: code, using: stage.services)
        #expect(login.code?.isEmpty == false)
    }

    @Test func `who declines ends the session`() throws {
        let stage = try Stage()
        let device = try stage.registered(.trust)
        let session = try stage.openSession()
        let code = try MIRACLDevice.accessCode(inQR: session.qr)
        try device.abort(code, using: stage.services)
        #expect(try stage.access(session.webOTT)["status"] == "abort")
        let answer = try refusal { _ = try device.sessionDetails(code, using: stage.services) }
        #expect(answer == "404 AuthenticationSessionException.InvalidAuthenticationSession")
    }

    @Test(arguments: ["", "hello", "http://localhost:8420/miracl/mobile-login/", "na1;L;x", "#0123"])
    func `another code than one of a session is told from one`(_ text: String) {
        #expect(throws: DeviceError.self) { try MIRACLDevice.accessCode(inQR: text) }
    }

    @Test(arguments: [MIRACLDevice.Generation.classic, .mfa, .olderTrust, .trust])
    func `a one-time password is good for its user, once`(_ generation: MIRACLDevice.Generation) throws {
        let stage = try Stage()
        var device = try stage.registered(generation)
        let code = try device.oneTimePassword(pin: Stage.pin, using: stage.services)
        #expect(code.lifetime == .seconds(60))
        #expect(try stage.checkOTP(code.digits) == .ok)
        #expect(try stage.checkOTP(code.digits) == .unauthorized)
        let late = try device.oneTimePassword(pin: Stage.pin, using: stage.services)
        try stage.bench.clock.advance(seconds: 60)
        #expect(try stage.checkOTP(late.digits) == .unauthorized)
    }

    @Test func `one device of Trust brings in another one`() throws {
        let stage = try Stage()
        var device = try stage.registered(.trust)
        let code = try device.quickCode(pin: Stage.pin, using: stage.services)
        var tablet = stage.device(.trust)
        let token = try tablet.confirm(code: code.digits, using: stage.services).token
        try tablet.register(activationToken: token, pin: "9876", using: stage.services)
        _ = try tablet.logIn(pin: "9876", for: .token, using: stage.services)
        #expect(
            throws: SDKRefusal.self, "the code is spent",
            performing: { try tablet.confirm(code: code.digits, using: stage.services) })
    }

    @Test func `one native device brings in another one by a bootstrap code`() throws {
        let stage = try Stage()
        var device = try stage.registered(.mfa)
        let code = try device.quickCode(pin: Stage.pin, using: stage.services)
        var tablet = stage.device(.mfa)
        try tablet.setBackend(using: stage.services)
        try tablet.startRegistration(activationCode: code.digits, using: stage.services)
        try tablet.confirmRegistration(using: stage.services)
        try tablet.finishRegistration(pin: "9876")
        _ = try tablet.logIn(pin: "9876", using: stage.services)
    }

    @Test func `a device that came by a quick code may be kept from giving one`() throws {
        let stage = try Stage("\"limit_reg_code_verified\": true,")
        var device = try stage.registered(.trust)
        let code = try device.quickCode(pin: Stage.pin, using: stage.services)
        var tablet = stage.device(.trust)
        let token = try tablet.confirm(code: code.digits, using: stage.services).token
        try tablet.register(activationToken: token, pin: Stage.pin, using: stage.services)
        let answer = try refusal { _ = try tablet.quickCode(pin: Stage.pin, using: stage.services) }
        #expect(answer.hasSuffix("Fail"), "\(answer)")
    }
}
