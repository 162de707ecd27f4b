import DeviceKit
import Essentials
import HTTP
import NextAuthDevice
import PlatformKit
import TestKit
import Testing

@Suite struct EnrolmentTests {
    @Test func `an enrolment makes an account, sets the PIN and logs the session in`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        #expect(try device.secondFactor(using: stage.services) == "UNSET")
        try stage.enrol(&device)

        let account = try #require(device.accounts.first)
        #expect(account.username == "Ada")
        #expect(account.userID == "ada")
        #expect(!account.isHeadless)
        #expect(try device.secondFactor(using: stage.services) == "SET")
        #expect(try stage.user("enrolment") == "ada")
    }

    @Test func `a user that the back end names later is heard of`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        let flow = try device.start(
            code: stage.enrolmentCode("enrolment", user: nil), using: stage.services)
        try device.approve(flow, with: Stage.pin, using: stage.services)
        #expect(device.accounts.first?.userID == nil)
        _ = try stage.ask(.post, "/sessions/registeruser?userid=ada", nonce: "enrolment")
        _ = try device.events(using: stage.services)
        #expect(device.accounts.first?.userID == "ada")
    }

    @Test func `a code works once`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        let code = try stage.enrolmentCode("enrolment")
        let flow = try device.start(code: code, using: stage.services)
        try device.approve(flow, with: Stage.pin, using: stage.services)
        #expect(try refusal { _ = try device.start(code: code, using: stage.services) } == "410 CODE_USED 40")
    }

    @Test func `an expired code works never`() throws {
        let stage = try Stage()
        let device = try stage.installed()
        let code = try stage.enrolmentCode("enrolment")
        try stage.bench.clock.advance(seconds: 601)
        #expect(try refusal { _ = try device.start(code: code, using: stage.services) } == "410 CODE_USED 40")
    }

    @Test func `a flow that nobody answers in time is gone`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        let flow = try device.start(code: stage.enrolmentCode("enrolment"), using: stage.services)
        try stage.bench.clock.advance(seconds: 121)
        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) }
                == "404 FLOW_NOT_FOUND 36")
    }

    @Test func `an enrolment that is signed wrongly makes no account`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        device.faults.breaksSignature = true
        let flow = try device.start(code: stage.enrolmentCode("enrolment"), using: stage.services)
        #expect(
            try refusal { try device.approve(flow, with: Stage.pin, using: stage.services) }
                == "403 BAD_SIGNATURE 3")
        #expect(device.accounts.isEmpty)
        #expect(try stage.user("enrolment") == nil)
    }

    @Test func `a second account asks for the PIN that is set, and shares it`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let flow = try device.start(code: stage.enrolmentCode("second"), using: stage.services)
        #expect(
            try refusal { try device.approve(flow, with: Stage.wrong, using: stage.services) } == "200 WRONG")
        let rest = try device.flow(flow.id, using: stage.services)
        #expect(rest.triesLeft == 4)
        try device.approve(rest, with: Stage.pin, using: stage.services)
        #expect(device.accounts.count == 2)
    }

    @Test func `an app for one account takes no second one`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        device.config.singleAccount = true
        #expect(
            try refusal {
                _ = try device.start(code: stage.enrolmentCode("second"), using: stage.services)
            } == "409 MULTIPLE_ACCOUNTS 38")
    }

    @Test func `a headless account has no second factor`() throws {
        let stage = try Stage()
        var device = try stage.enrolled(isHeadless: true)
        #expect(try device.secondFactor(using: stage.services) == "UNSET")
        let flow = try device.startAppLogin(using: stage.services)
        #expect(flow.interaction == nil)
        try device.approve(flow, with: Stage.wrong, using: stage.services)
        #expect(device.appLogin != nil)
    }

    @Test func `an account is deleted by its own key alone`() throws {
        let stage = try Stage()
        var device = try stage.installed()
        try stage.enrol(&device)
        try stage.enrol(&device, nonce: "second")
        let ids = device.accounts.map(\.id)
        device.faults.signer = ids[1]
        #expect(
            try refusal { try device.deleteAccount(ids[0], using: stage.services) }
                == "403 BAD_SIGNATURE 3")
        device.faults.signer = nil
        for id in ids { try device.deleteAccount(id, using: stage.services) }
        #expect(device.accounts.isEmpty)
        #expect(try device.secondFactor(using: stage.services) == "UNSET", "the PIN goes with the last one")
    }

    @Test func `an account that the back end deletes is forgotten`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let id = try #require(device.accounts.first).id
        _ = try stage.ask(.delete, "/accounts/\(id)/", nonce: "any")
        _ = try device.events(using: stage.services)
        #expect(device.accounts.isEmpty)
        #expect(
            try refusal { _ = try device.startAppLogin(using: stage.services) }
                == "404 NO_ACCOUNTS_FOR_SERVER 34")
    }

    @Test func `a device whose installation is wiped is unknown`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        let stolen = device
        try device.wipe(using: stage.services)
        #expect(
            try refusal { _ = try stolen.startAppLogin(using: stage.services) } == "401 UNAUTHORIZED 2")
    }

    @Test func `a token that nobody has opens nothing`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        device.faults.token = "x"
        #expect(
            try refusal { _ = try device.startAppLogin(using: stage.services) } == "401 UNAUTHORIZED 2")
    }

    @Test func `what is stored is the device as it was, without PIN and faults`() throws {
        let stage = try Stage()
        var device = try stage.enrolled()
        device.faults.breaksSignature = true
        let stored = try JSONEncoder().encode(device)
        var copy = try JSONDecoder().decode(NextAuthDevice.self, from: stored)
        #expect(copy.accounts == device.accounts)
        #expect(!String(decoding: stored, as: UTF8.self).contains("12345"))
        let flow = try copy.startAppLogin(using: stage.services)
        try copy.approve(flow, with: Stage.pin, using: stage.services)
    }
}
