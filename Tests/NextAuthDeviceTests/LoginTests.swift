import DeviceKit
import Essentials
import HTTP
import NextAuthDevice
import PlatformKit
import TestKit
import Testing

@Suite struct LoginTests {
    @Test func `a browser's session is logged in by its code`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        #expect(flow.interaction == "VERIFY_SECOND_FACTOR", "one account needs no choice")
        try device.approve(flow, with: Stage.pin, using: stage.services)
        #expect(try stage.user("browser") == "ada")
    }

    @Test func `with two accounts the user chooses`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        try stage.enrol(&device)
        try stage.enrol(&device, nonce: "second")
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        #expect(flow.interaction == "CONFIRM")
        #expect(flow.candidates.count == 2)
        #expect(throws: DeviceError.self) {
            try device.approve(flow, with: Stage.pin, using: stage.services)
        }
        try device.approve(flow, with: Stage.pin, account: flow.candidates[1], using: stage.services)
        #expect(try stage.user("browser") == "ada")
    }

    @Test func `who declines logs nobody in`() throws {
        let stage = try Stage()
        let device = try stage.enrolled()
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        #expect(try device.decline(flow, using: stage.services).state == "ERROR")
        #expect(try stage.user("browser") == nil)
    }

    @Test func `a flow that was declined cannot be approved`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        try device.decline(flow, using: stage.services)
        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) }
                == "409 WRONG_STATE 37")
    }

    @Test func `a push logs in whom it is for`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        _ = try stage.ask(.post, "/users/ada/provokelogin", nonce: "browser")
        let message = try #require(try device.messages(using: stage.services).first)
        #expect(message.type == "LOGIN")
        try device.approve(
            device.start(message, using: stage.services), with: Stage.pin, using: stage.services)
        #expect(try stage.user("browser") == "ada")
        #expect(
            try refusal { _ = try device.start(message, using: stage.services) }
                == "404 MESSAGE_NOT_FOUND 43")
    }

    @Test func `an app without an account is told so`() throws {
        let stage = try Stage()
        let device = try stage.installed()
        let code = try stage.loginCode("browser")
        #expect(
            try refusal { _ = try device.start(code: code, using: stage.services) }
                == "404 NO_ACCOUNTS_FOR_SERVER 34")
    }

    @Test func `a blocked account logs in no more`() throws {
        let stage = try Stage()
        let device = try stage.enrolled()
        let id = try #require(device.accounts.first).id
        _ = try stage.ask(.put, "/accounts/\(id)/?blocked=true", nonce: "any")
        let code = try stage.loginCode("browser")
        #expect(
            try refusal { _ = try device.start(code: code, using: stage.services) }
                == "403 ACCOUNT_BLOCKED 30")
    }

    @Test func `five wrong PINs block the second factor`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        var flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        var challenges: Set<JSONValue> = []
        for _ in 1...4 {
            #expect(
                try refusal { try device.approve(flow, with: Stage.wrong, using: stage.services) }
                    == "200 WRONG")
            flow = try device.flow(flow.id, using: stage.services)
            challenges.insert(try flow.json.member("challenge"))
        }
        #expect(challenges.count == 4)
        #expect(
            try refusal { try device.approve(flow, with: Stage.wrong, using: stage.services) }
                == "200 BLOCKED")
        #expect(try device.secondFactor(using: stage.services) == "BLOCKED")
        // Biometrics still stand in for the PIN.
        let next = try device.startAppLogin(using: stage.services)
        #expect(
            try refusal { try device.approve(next, with: Stage.pin, using: stage.services) }
                == "423 SECOND_FACTOR_BLOCKED 41")
        try device.approve(next, with: .biometry, using: stage.services)
        #expect(try stage.user("browser") == nil)
    }

    @Test func `an app may let biometrics fall with the PIN`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        device.config.blockSecondFactorOnPINBlocked = true
        try stage.enrol(&device)
        stage.bench.time.advance(seconds: 61)
        for _ in 1...5 {
            let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
            _ = try refusal { try device.approve(flow, with: Stage.wrong, using: stage.services) }
        }
        let answer = try refusal { _ = try device.startAppLogin(using: stage.services) }
        #expect(answer == "423 SECOND_FACTOR_BLOCKED 41")
    }

    @Test func `a signature over another text, challenge or account is refused`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        try stage.enrol(&device, nonce: "second")
        let ids = device.accounts.map(\.id)
        func attempt(_ change: (inout NextAuthDevice.Faults) -> Void) throws -> String {
            var device = device
            change(&device.faults)
            let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
            return try refusal {
                try device.approve(flow, with: Stage.pin, account: ids[0], using: stage.services)
            }
        }

        #expect(try attempt { $0.breaksSignature = true } == "403 BAD_SIGNATURE 3")
        #expect(try attempt { $0.signer = ids[1] } == "403 BAD_SIGNATURE 3")
        let stale = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8"
        #expect(try attempt { $0.challenge = stale } == "403 BAD_SIGNATURE 3")
        #expect(try stage.user("browser") == nil)
    }

    @Test func `a step works once`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        device.faults.sendsTwice = true
        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) }
                == "409 WRONG_STATE 37")
        #expect(try stage.user("browser") == "ada", "the first of the two was right")
    }

    @Test func `the PIN is changed by the old one or by biometrics`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        #expect(
            try refusal { try device.changePIN(from: Stage.wrong, to: "97531", using: stage.services) }
                == "403 BAD_SIGNATURE 3")
        try device.changePIN(from: Stage.pin, to: "97531", using: stage.services)
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) } == "200 WRONG")
        try device.changePIN(from: .biometry, to: "86420", using: stage.services)
        let next = try device.start(code: stage.loginCode("browser"), using: stage.services)
        try device.approve(next, with: .pin("86420"), using: stage.services)
        #expect(try stage.user("browser") == "ada")
    }

    @Test func `within its time a proven PIN is not asked for again`() throws {
        let stage = try Stage(pinTimeout: 5)
        var device = try stage.enrolled()
        let flow = try device.start(code: stage.loginCode("browser"), using: stage.services)
        #expect(flow.interaction == "CONFIRM")
        try device.approve(flow, with: Stage.wrong, using: stage.services)
        #expect(try stage.user("browser") == "ada")
    }
}
