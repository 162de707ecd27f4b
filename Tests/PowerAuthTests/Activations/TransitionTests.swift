import Crypto
import Essentials
import HTTP
import PlatformKit
import PowerAuthDevice
import SQLite
import TestKit
import Testing

@testable import PowerAuth

/// Every way from one state to another. Source: published behaviour of the PowerAuth Server.
struct TransitionTests {
    private let bench: OfficeBench

    init() throws { bench = try OfficeBench() }

    private let change = "ERROR_REGISTRATION_CHANGE"
    private let words = "The registration cannot be changed in its present state."

    @Test func `key exchange and commit make it active`() throws {
        let (id, _) = try bench.register()
        #expect(try bench.state(id) == "CREATED")
        let (_, second) = try bench.exchanged()
        #expect(try bench.state(second) == "PENDING_COMMIT")

        bench.expectOK(
            bench.cloud(.post, "/v2/registrations/\(second)/commit", #"{"externalUserId": "clerk"}"#))

        #expect(try bench.state(second) == "ACTIVE")
        #expect(try bench.history(second) == ["CREATED", "PENDING_COMMIT", "ACTIVE clerk"])
    }

    @Test func `the commit phase of the key exchange makes it active at once`() throws {
        let (_, id) = try bench.active()

        #expect(try bench.state(id) == "ACTIVE")
    }

    @Test func `a commit in another state is refused`() throws {
        let (created, _) = try bench.register()
        try bench.expect(
            bench.cloud(.post, "/v2/registrations/\(created)/commit"), change, words,
            because: "The activation is CREATED, expected PENDING_COMMIT.")
        let (_, active) = try bench.active()
        try bench.expect(
            bench.cloud(.post, "/v2/registrations/\(active)/commit", "{}"), change, words,
            because: "The activation is ACTIVE, expected PENDING_COMMIT.")
    }

    @Test func `what is not completed in time is removed, found out when anybody asks`() throws {
        let (created, code) = try bench.register()
        let (_, pending) = try bench.exchanged()
        let (_, active) = try bench.active()

        try bench.bench.clock.advance(seconds: 299)
        #expect(try bench.state(created) == "CREATED")
        try bench.bench.clock.advance(seconds: 1)

        #expect(throws: ServerRefusal.self) {
            try bench.phone().activate(ActivationRequest(.code(code)), pin: OfficeBench.pin)
        }
        #expect(try bench.state(created) == "REMOVED")
        try bench.expect(
            bench.cloud(.post, "/v2/registrations/\(pending)/commit"), change, words,
            because: "was not completed in time; it ended at 2026-01-02T03:09:05.000Z")
        #expect(try bench.state(pending) == "REMOVED")
        #expect(try bench.history(created) == ["CREATED", "REMOVED EXPIRED"])
        #expect(try bench.state(active) == "ACTIVE")
    }

    @Test func `a code serves once`() throws {
        let (_, code) = try bench.register()
        try bench.phone().activate(ActivationRequest(.code(code)), pin: OfficeBench.pin)

        #expect(throws: ServerRefusal.self) {
            try bench.phone().activate(ActivationRequest(.code(code)), pin: OfficeBench.pin)
        }
    }

    @Test func `an OTP of the key exchange commits as well, and the fifth wrong one removes`() throws {
        let members = #""otp": "246810", "otpValidation": "ON_KEY_EXCHANGE""#
        let (_, right) = try bench.exchanged(members, otp: "246810")
        #expect(try bench.state(right) == "ACTIVE")

        let (id, code) = try bench.register(members)
        #expect(throws: ServerRefusal.self) {
            try bench.phone().activate(ActivationRequest(.code(code)), pin: OfficeBench.pin)
        }
        for attempt in 1...5 {
            #expect(try bench.state(id) == "CREATED", "before attempt \(attempt)")
            #expect(throws: ServerRefusal.self) {
                try bench.phone().activate(ActivationRequest(.code(code), otp: "0"), pin: OfficeBench.pin)
            }
        }
        #expect(try bench.state(id) == "REMOVED")
        #expect(try bench.history(id) == ["CREATED", "REMOVED MAX_OTP_ATTEMPTS"])
    }

    @Test func `an OTP of the commit: missing costs nothing, wrong costs an attempt, the last removes`()
        throws
    {
        let (_, id) = try bench.exchanged(#""otp": "246810", "commitPhase": "ON_COMMIT""#)
        let path = "/v2/registrations/\(id)/commit"
        for _ in 1...6 {
            try bench.expect(
                bench.cloud(.post, path, "{}"), change, words,
                because: "requires an OTP and none was sent; this does not count as an attempt")
        }
        try bench.expect(
            bench.cloud(.post, path, #"{"otp": "1"}"#), change, words,
            because: "The activation OTP is wrong; 4 attempts are left.")
        bench.expectOK(bench.cloud(.post, path, #"{"otp": "246810"}"#))
        #expect(try bench.state(id) == "ACTIVE")

        let (_, second) = try bench.exchanged(#""otp": "246810""#)
        for left in ["4 attempts are", "3 attempts are", "2 attempts are", "1 attempt is", "0 attempts are"] {
            try bench.expect(
                bench.cloud(.post, "/v2/registrations/\(second)/commit", #"{"otp": "1"}"#), change, words,
                because: "\(left) left")
        }
        #expect(try bench.state(second) == "REMOVED")
    }

    @Test func `an OTP where none is stored is not looked at, and one in the other phase is refused`() throws
    {
        let (_, id) = try bench.exchanged()
        bench.expectOK(bench.cloud(.post, "/v2/registrations/\(id)/commit", #"{"otp": "1"}"#))
        #expect(try bench.state(id) == "ACTIVE")
        #expect(throws: ServerRefusal.self) {
            try bench.exchanged(#""otp": "246810", "commitPhase": "ON_COMMIT""#, otp: "246810")
        }
    }

    @Test func `block and unblock, each also when it is so already`() throws {
        let (phone, id) = try bench.active()
        let path = "/v2/registrations/\(id)"
        bench.expectOK(bench.cloud(.put, path, #"{"change": "BLOCK", "blockedReason": "LOST"}"#))
        bench.expectOK(bench.cloud(.put, path, #"{"change": "BLOCK", "blockedReason": "OTHER"}"#))
        #expect(try bench.show(id)["blockedReason"] == "LOST")
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin(OfficeBench.pin)) }

        bench.expectOK(bench.cloud(.put, path, #"{"change": "UNBLOCK", "externalUserId": "clerk"}"#))
        bench.expectOK(bench.cloud(.put, path, #"{"change": "UNBLOCK"}"#))

        #expect(try bench.show(id)["blockedReason"] == nil)
        try phone.validate(with: .pin(OfficeBench.pin))
        #expect(try bench.history(id) == ["CREATED", "ACTIVE", "BLOCKED LOST", "ACTIVE clerk"])
    }

    @Test(arguments: ["BLOCK", "UNBLOCK"])
    func `block and unblock in another state are refused`(_ word: String) throws {
        let (created, _) = try bench.register()
        let (_, pending) = try bench.exchanged()
        let (_, removed) = try bench.active()
        bench.expectOK(bench.cloud(.delete, "/v2/registrations/\(removed)"))
        for (id, state) in [(created, "CREATED"), (pending, "PENDING_COMMIT"), (removed, "REMOVED")] {
            try bench.expect(
                bench.cloud(.put, "/v2/registrations/\(id)", "{\"change\": \"\(word)\"}"), change, words,
                because: "The activation is \(state), expected")
        }
    }

    @Test func `a block without a reason has one, and unblocking gives back the attempts`() throws {
        let (phone, id) = try bench.active()
        phone.faults.breaksSignature = true
        #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin(OfficeBench.pin)) }
        bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "BLOCK"}"#)
        #expect(try bench.show(id)["blockedReason"] == "NOT_SPECIFIED")
        bench.cloud(.put, "/v2/registrations/\(id)", #"{"change": "UNBLOCK"}"#)

        let status = try bench.result(
            bench.manage("activation/status", "{\"activationId\": \"\(id)\"}"))

        #expect(status["failedAttempts"] == 0)
    }

    @Test func `it is removed from any state, once, and that is final`() throws {
        let (created, _) = try bench.register()
        let (_, pending) = try bench.exchanged()
        let (_, active) = try bench.active()
        let (_, blocked) = try bench.active()
        bench.cloud(.put, "/v2/registrations/\(blocked)", #"{"change": "BLOCK"}"#)
        for id in [created, pending, active, blocked] {
            bench.expectOK(bench.cloud(.delete, "/v2/registrations/\(id)?externalUserId=clerk"))
            bench.expectOK(bench.cloud(.delete, "/v2/registrations/\(id)"))
            #expect(try bench.state(id) == "REMOVED")
            #expect(try bench.history(id).last == "REMOVED clerk")
        }
    }

    @Test func `the last wrong code blocks`() throws {
        let (phone, id) = try bench.active()
        phone.faults.breaksSignature = true
        for _ in 1...5 {
            #expect(try bench.state(id) == "ACTIVE")
            #expect(throws: ServerRefusal.self) { try phone.validate(with: .pin(OfficeBench.pin)) }
        }
        #expect(try bench.state(id) == "BLOCKED")
        #expect(try bench.show(id)["blockedReason"] == "MAX_FAILED_ATTEMPTS")
        #expect(try bench.history(id).last == "BLOCKED MAX_FAILED_ATTEMPTS")
    }

    @Test func `tokens and the push device go with it`() throws {
        let (phone, id) = try bench.active()
        _ = try phone.createToken("LoginToken")
        try bench.bench.world.database.write { db in
            try db.save(
                PushDevice(activation: id, service: .fcm, token: "t", registeredAt: bench.bench.clock.now))
        }
        bench.cloud(.delete, "/v2/registrations/\(id)")

        let (device, tokens) = try bench.bench.world.database.read { db in
            (try db.first(PushDevice.self, where: "activation = \(id)"), try db.all(Token.self))
        }
        #expect(device == nil)
        #expect(tokens.isEmpty)
    }
}
