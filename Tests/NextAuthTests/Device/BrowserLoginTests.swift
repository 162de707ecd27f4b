import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct BrowserLoginTests {
    private func enrolled(pinTimeout: Int = 0) throws -> (TestBench<NextAuth>, Device, BackEnd) {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world(pinTimeout: pinTimeout))
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())
        return (bench, device, backEnd)
    }

    private func confirm(_ flow: FlowObject, _ device: Device, _ account: Int = 1) throws -> FlowObject {
        try device.step(
            "confirm", flow,
            ["accountid": .integer(account), "signature": .string(try device.sign(flow, account))])
    }

    @Test func `with one account and a PIN ahead the confirmation is left out`() throws {
        let (_, device, backEnd) = try enrolled()
        let flow = try device.start(["type": "LOGIN", "data": .string(try backEnd.loginCode())])
        #expect(flow.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        let done = try device.step("secondfactor", flow, device.factor(flow, 1))
        #expect(done.state == "DONE")
        #expect(done.session?["webnonce"] == .null)
        #expect(try backEnd.session("browser").account == 1)
        #expect(try backEnd.frames("browser") == ["CONFIRMSCAN", "LOGIN"])
    }

    @Test func `an app that wants the confirmation gets it, with what the back end announces`() throws {
        let (_, device, backEnd) = try enrolled()
        let context = UserContext(
            sessionInfo: ["ip": "192.0.2.2"], announceInfo: ["info": ["Shop": "Books"]])
        let flow = try device.start([
            "type": "LOGIN", "data": .string(try backEnd.loginCode("browser", context)),
            "config": ["autoSelectSingleAccount": false],
        ])
        #expect(flow.interaction?["type"] == "CONFIRM")
        #expect(flow.interaction?["announceinfo"] == ["info": ["Shop": "Books"]])
        #expect(flow.interaction?["sessioninfo"] == ["ip": "192.0.2.2"])
        #expect(flow.interaction?["accounts"]?.array?.first?["accountid"] == 1)
        let asked = try confirm(flow, device)
        #expect(asked.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        #expect(try device.answerFactor(asked).state == "DONE")
    }

    @Test func `a recent PIN is enough where the server allows that`() throws {
        let (_, device, backEnd) = try enrolled(pinTimeout: 5)
        let flow = try device.start(["type": "LOGIN", "data": .string(try backEnd.loginCode())])
        #expect(flow.interaction?["type"] == "CONFIRM")
        #expect(try confirm(flow, device).state == "DONE")
    }

    @Test func `of several accounts the user chooses one`() throws {
        var (_, device, backEnd) = try enrolled()
        try device.enrol(try backEnd.enrolmentCode("second", name: "grace@phone", user: "grace"))
        let flow = try device.start(["type": "LOGIN", "data": .string(try backEnd.loginCode())])
        #expect(flow.interaction?["accounts"]?.array?.count == 2)

        let other = try device.step(
            "confirm", flow,
            ["accountid": 2, "signature": .string(try device.sign(flow, 1))])
        #expect(other.code == "BAD_SIGNATURE")
        #expect(
            try device.step("confirm", flow, ["accountid": 3, "signature": ""]).code
                == "ACCOUNT_NOT_FOUND")
        #expect(try device.answerFactor(confirm(flow, device, 2)).session?["userid"] == "grace")
    }

    @Test func `an app without an account is told so, and the browser too`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        let device = try Device(bench)
        let refused = device.send(
            .post, "/flows", ["type": "LOGIN", "data": .string(try backEnd.loginCode())])
        #expect(refused.status == .notFound)
        #expect(
            refused.fields == [
                "code": "NO_ACCOUNTS_FOR_SERVER", "number": "34",
                "message": "There is no account for this server",
            ])
        #expect(try backEnd.frames("browser") == ["NOACCOUNTS"])
    }

    @Test func `a login that nobody finishes expires, and the session is free again`() throws {
        let (bench, device, backEnd) = try enrolled()
        let flow = try device.start(["type": "LOGIN", "data": .string(try backEnd.loginCode())])
        #expect(try backEnd.session("browser").state == .pending)
        bench.time.advance(seconds: 125)

        let late = device.send(.post, "/flows/\(flow.id)/secondfactor", try device.factor(flow, 1))
        #expect(late.status == .notFound)
        #expect(
            late.fields == ["code": "FLOW_NOT_FOUND", "number": "36", "message": "No such flow"])
        #expect(bench.explanation?.contains("it expired 5 s ago") == true)
        #expect(try backEnd.session("browser").state == .loggedOut)
        #expect(try backEnd.frames("browser") == ["CONFIRMSCAN", "CANCEL"])
        #expect(device.send(.get, "/flows/\(flow.id)").status == .notFound)
    }

    @Test func `another device takes a session over`() throws {
        var (bench, device, backEnd) = try enrolled()
        var second = try Device(bench)
        try second.enrol(try backEnd.enrolmentCode("second", name: "tablet"))
        let code: JSONValue = .string(try backEnd.loginCode())
        let first = try device.start(["type": "LOGIN", "data": code])
        _ = try device.step("secondfactor", first, device.factor(first, 1))
        let other = try second.start(["type": "LOGIN", "data": code])
        _ = try second.step("secondfactor", other, second.factor(other, 2))

        #expect(try backEnd.session("browser").account == 2)
        let stop = try device.get("/events")["events"]?.array?.last
        #expect(stop?["reason"] == "REPLACED")
        device.keys = [:]
    }

    @Test func `a push logs the session in, and the browser sees that it was read`() throws {
        let (bench, device, backEnd) = try enrolled()
        #expect(try !backEnd.canProvoke("browser"))
        try backEnd.provoke("browser", 1, announceInfo: ["info": ["Shop": "Books"]])

        let message = try #require(try device.get("/messages").array?.first)
        #expect(message["type"] == "LOGIN")
        let id = try #require(message["messageid"]?.string)
        #expect(device.send(.post, "/messages/\(id)/read").status == .ok)
        #expect(try device.get("/messages") == [])
        let flow = try device.start(["type": "LOGIN", "messageid": .string(id)])
        #expect(flow.interaction?["announceinfo"] == ["info": ["Shop": "Books"]])
        #expect(try device.step("secondfactor", flow, device.factor(flow, 1)).state == "DONE")
        let frames = try backEnd.frames("browser")
        #expect(Set(frames.dropLast()) == ["CONFIRMPROVOKE"])
        #expect(frames.last == "LOGIN")
        #expect(try bench.messages.first?.message.channel == .push)

        #expect(
            try device.start(["type": "LOGIN", "messageid": .string(id)]).code == "MESSAGE_NOT_FOUND")
        try backEnd.logOut("browser")
        #expect(try backEnd.canProvoke("browser"))
        try backEnd.block(1)
        #expect(try !backEnd.canProvoke("browser"))
    }

    @Test func `a message has its time`() throws {
        let (bench, device, backEnd) = try enrolled()
        try backEnd.provoke("browser", 1)
        let id = try #require(try device.get("/messages").array?.first?["messageid"])
        bench.time.advance(seconds: 600)
        #expect(try device.get("/messages") == [])
        #expect(try device.start(["type": "LOGIN", "messageid": id]).code == "MESSAGE_NOT_FOUND")
    }
}
