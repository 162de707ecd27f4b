import DeviceKit
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OneginiDevice

/// Refresh tokens, which a PIN shows, that were good once.
@Suite struct OutdatedTokenTests {
    private static let wrongPIN = "401 ONGAuthenticationErrorInvalidPin 9009"
    private static let deregistered = "400 ONGGenericErrorUserDeregistered 9003"

    @Test func `a copied phone is found out by the login after the owner's`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        var stolen = device
        try device.logIn(pin: Stage.pin, using: stage.services)
        try stage.bench.clock.advance(seconds: 31)

        #expect(
            try refusal { try stolen.logIn(pin: Stage.pin, using: stage.services) } == Self.deregistered)
        #expect(
            try refusal { try device.logIn(pin: Stage.pin, using: stage.services) } == Self.deregistered,
            "nobody knows which of the two is the owner's")
        #expect(device.profiles.isEmpty)
    }

    @Test func `a login whose answer was lost is answered the same within half a minute`() throws {
        let stage = try Stage()
        var device = try stage.registered()
        var copy = device
        try device.logIn(pin: Stage.pin, using: stage.services)
        try stage.bench.clock.advance(seconds: 29)
        try copy.logIn(pin: Stage.pin, using: stage.services)

        #expect(copy.accessToken == device.accessToken)
    }

    @Test func `who does not log in for too long is taken off the device`() throws {
        let stage = try Stage(application: "\"refresh_token_lifetime\": 3600,")
        var device = try stage.registered()
        try stage.bench.clock.advance(seconds: 3600)

        #expect(
            try refusal { try device.logIn(pin: Stage.pin, using: stage.services) } == Self.deregistered)
        #expect(device.profiles.isEmpty)
    }

    @Test(arguments: [false, true])
    func `a push that asks for the PIN takes the token of the last login or registration alone`(
        _ registersAnew: Bool
    ) throws {
        let stage = try Stage()
        var device = try stage.enrolled(push: true)
        let (id, before) = (device.profiles[0].id, device.profiles[0].masked)
        if registersAnew {
            try device.register(
                provider: "understudy-direct", data: ["userId": "ada"], pin: Stage.pin,
                using: stage.services { try Self.name(id, in: &$0) })
        } else {
            try device.logIn(pin: Stage.pin, using: stage.services)
        }
        try #require(device.profiles.map(\.id) == [id])
        let question = try device.fetch(
            push: stage.startPush(to: device, "push_with_pin"), using: stage.services)
        let last = device.profiles[0].masked

        device.profiles[0].masked = before
        #expect(
            try refusal {
                try device.answer(question, confirms: true, pin: Stage.pin, using: stage.services)
            } == Self.wrongPIN)
        device.profiles[0].masked = last
        let state = try device.answer(question, confirms: true, pin: Stage.pin, using: stage.services)
        #expect(state == "AUTHENTICATED")
    }

    /// A registration in the place of the profile's.
    private static func name(_ profile: String, in request: inout DeviceRequest) throws {
        guard request.path.hasSuffix("/complete") else { return }
        var members = try #require(try JSONValue(parsing: request.body).object)
        members["profile_id"] = .string(profile)
        request.body = JSONValue.object(members).bytes
    }

    @Test func `a push that asks for the PIN takes no token that has expired`() throws {
        let stage = try Stage(
            application: "\"refresh_token_lifetime\": 600, \"access_token_lifetime\": 900,")
        var device = try stage.enrolled(push: true)
        try stage.bench.clock.advance(seconds: 599)
        let question = try device.fetch(
            push: stage.startPush(to: device, "push_with_pin"), using: stage.services)
        try stage.bench.clock.advance(seconds: 1)

        #expect(
            try refusal {
                try device.answer(question, confirms: true, pin: Stage.pin, using: stage.services)
            } == Self.wrongPIN)
        #expect(try stage.result(question.transactionID)["is_authenticated"] != true)
    }
}
