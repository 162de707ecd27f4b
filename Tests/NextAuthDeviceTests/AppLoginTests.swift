import DeviceKit
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuthDevice

@Suite struct AppLoginTests {
    private func loggedIn(
        _ stage: Stage, config: NextAuthDevice.Config = .init()
    ) throws -> (NextAuthDevice, NextAuthDevice.Session) {
        var device = try stage.enrolled()
        device.config = config
        let flow = try device.startAppLogin(using: stage.services)
        try device.approve(flow, with: Stage.pin, using: stage.services)
        return (device, try #require(device.appLogin))
    }

    @Test func `an AppLogin asks for the PIN alone, and its web nonce tells the back end who it is`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let flow = try device.startAppLogin(using: stage.services)
        #expect(flow.interaction == "VERIFY_SECOND_FACTOR")
        try device.approve(flow, with: Stage.pin, using: stage.services)
        let session = try #require(device.appLogin)
        #expect(session.username == "Ada")
        #expect(try stage.user(#require(session.webNonce)) == "ada")
    }

    @Test func `right after an enrolment it is silent, and after a stop it asks`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        try stage.enrol(&device)
        let silent = try device.startAppLogin(using: stage.services)
        #expect(silent.interaction == nil)
        try device.approve(silent, with: Stage.wrong, using: stage.services)
        let session = try #require(device.appLogin)

        try device.stop(session.id, using: stage.services)
        #expect(device.appLogin == nil)
        #expect(try stage.user(#require(session.webNonce)) == nil)
        #expect(try device.startAppLogin(using: stage.services).interaction == "VERIFY_SECOND_FACTOR")
    }

    @Test func `pings keep it alive, and one that is missed ends it`() throws {
        let stage = try Stage()
        var (device, session) = try loggedIn(stage)
        for _ in 1...5 {
            try stage.bench.clock.advance(seconds: 299)
            #expect(try device.ping(session.id, using: stage.services) == 150)
        }
        #expect(try stage.user(#require(session.webNonce)) == "ada")
        try stage.bench.clock.advance(seconds: 303)
        #expect(
            try refusal { try device.ping(session.id, using: stage.services) } == "404 SESSION_NOT_FOUND 42")
        #expect(device.appLogin == nil)
        #expect(try stage.user(#require(session.webNonce)) == nil)
    }

    @Test func `a user who does nothing is logged out by the app's own time`() throws {
        let stage = try Stage()
        var config = NextAuthDevice.Config()
        config.inactivityTimeout = 120
        var (device, session) = try loggedIn(stage, config: config)
        let before = stage.bench.clock.now
        try stage.bench.clock.advance(seconds: 121)
        #expect(
            try refusal { try device.ping(session.id, activity: before, using: stage.services) }
                == "404 SESSION_NOT_FOUND 42")
    }

    @Test func `an AppLogin lasts no longer than the app wants`() throws {
        let stage = try Stage()
        var config = NextAuthDevice.Config()
        config.appLoginTimeout = 200
        var (device, session) = try loggedIn(stage, config: config)
        try stage.bench.clock.advance(seconds: 201)
        #expect(
            try refusal { try device.ping(session.id, using: stage.services) } == "404 SESSION_NOT_FOUND 42")
    }

    @Test func `a logout by the back end reaches the device`() throws {
        let stage = try Stage()
        var (device, session) = try loggedIn(stage)
        _ = try device.events(using: stage.services)
        _ = try stage.ask(.post, "/sessions/logout", nonce: #require(session.webNonce))
        let events = try device.events(using: stage.services)
        #expect(events.map { $0["type"] } == ["SESSION_STOP", "MESSAGE"])
        #expect(device.appLogin == nil)
        #expect(try device.events(using: stage.services).isEmpty, "each event is told once")
    }

    @Test func `the device hears when a ping is due`() throws {
        let stage = try Stage()
        var (device, session) = try loggedIn(stage)
        _ = try device.events(using: stage.services)
        try stage.bench.clock.advance(seconds: 151)
        let events = try device.events(using: stage.services)
        #expect(events.contains { $0["type"] == "PING" && $0["sessionid"]?.string == session.id })
    }

    @Test func `a server without continuous authentication has no AppLogin`() throws {
        let stage = try Stage(pingTime: 0)
        let device = try stage.enrolled()
        #expect(
            try refusal { _ = try device.startAppLogin(using: stage.services) }
                == "409 CONTINUOUS_AUTH_REQUIRED 39")
    }

    @Test func `two accounts are one too many`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        try stage.enrol(&device, nonce: "second")
        #expect(
            try refusal { _ = try device.startAppLogin(using: stage.services) } == "409 MULTIPLE_ACCOUNTS 38")
    }

    @Test func `a transaction is approved with the PIN or declined without`() throws {
        let stage = try Stage()
        var (device, session) = try loggedIn(stage)
        let nonce = try #require(session.webNonce)
        for (approves, outcome) in [(true, "1"), (false, "2")] {
            let id = try stage.transaction(nonce)
            #expect(try stage.outcome(id, nonce: nonce) == "0")
            let message = try #require(try device.messages(using: stage.services).last)
            let flow = try device.start(message, using: stage.services)
            #expect(flow.interaction == "CONFIRM_TRANSACTION")
            #expect(flow.transaction?["benificiary"] == "Bob")
            if approves {
                try device.approve(flow, with: Stage.pin, using: stage.services)
            } else {
                try device.decline(flow, using: stage.services)
            }
            #expect(try stage.outcome(id, nonce: nonce) == outcome)
            #expect(throws: SDKRefusal.self) { try device.start(message, using: stage.services) }
        }
    }

    @Test func `a decision that is signed the other way round is none`() throws {
        let stage = try Stage()
        var (device, session) = try loggedIn(stage)
        let nonce = try #require(session.webNonce)
        let id = try stage.transaction(nonce)
        let message = try #require(try device.messages(using: stage.services).last)
        let flow = try device.start(message, using: stage.services)
        device.faults.signsOtherDecision = true
        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) }
                == "403 BAD_SIGNATURE 3")
        #expect(try stage.outcome(id, nonce: nonce) == "0")
        device.faults = .init()
        #expect(
            try refusal { try device.approve(flow, with: Stage.wrong, using: stage.services) } == "200 WRONG")
        #expect(try stage.outcome(id, nonce: nonce) == "0")
        let rest = try device.flow(flow.id, using: stage.services)
        try device.approve(rest, with: .biometry, using: stage.services)
        #expect(try stage.outcome(id, nonce: nonce) == "1")
    }

    /// A transaction that waits for a decision, as the device was told.
    private func asked(_ stage: Stage) throws -> (
        device: NextAuthDevice, flow: NextAuthDevice.Flow, outcome: () throws -> String?
    ) {
        let (device, session) = try loggedIn(stage)
        let nonce = try #require(session.webNonce)
        let id = try stage.transaction(nonce)
        let message = try #require(try device.messages(using: stage.services).last)
        let flow = try device.start(message, using: stage.services)
        return (device, flow, { try stage.outcome(id, nonce: nonce) })
    }

    @Test func `a PIN approves nothing before the decision was signed`() throws {
        let stage = try Stage()
        let (device, flow, outcome) = try asked(stage)
        guard case .pin(let pin) = Stage.pin else { return }

        #expect(throws: SDKRefusal.self) {
            try device.step(
                "secondfactor", flow,
                [
                    "signature": .string(device.signature(flow)),
                    "pinproof": .string(device.pinProof(pin, flow.challenge)),
                ], using: stage.services)
        }
        #expect(try outcome() == "0")
    }

    @Test func `a transaction is decided once, whatever flows it has`() throws {
        let stage = try Stage()
        var (device, session) = try loggedIn(stage)
        let nonce = try #require(session.webNonce)
        let id = try stage.transaction(nonce)
        let message = try #require(try device.messages(using: stage.services).last)
        let (first, second) = (
            try device.start(message, using: stage.services), try device.start(message, using: stage.services)
        )

        try device.approve(first, with: Stage.pin, using: stage.services)
        #expect(throws: SDKRefusal.self) { try device.decline(second, using: stage.services) }
        #expect(try stage.outcome(id, nonce: nonce) == "1")
    }

    @Test func `another biometric key than the device's approves nothing`() throws {
        let stage = try Stage()
        let (asked, flow, outcome) = try asked(stage)
        var device = asked
        device.biometry = try AccountKey(drawnFrom: stage.services.draw)

        #expect(
            try refusal { try device.approve(flow, with: .biometry, using: stage.services) }
                == "403 BAD_SIGNATURE 3")
        #expect(try outcome() == "0")
    }

    @Test func `an AppLogin needs the account's signature beside the PIN`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let flow = try device.startAppLogin(using: stage.services)
        device.faults.breaksSignature = true

        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) }
                == "403 BAD_SIGNATURE 3")
        #expect(device.appLogin == nil)
    }
}
