import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

/// The rules of the vendor's quick start “AppLogin”.
@Suite struct AppLoginTests {
    private func enrolled(
        pingTime: Int = 300, pinTimeout: Int = 0
    ) throws -> (TestBench<NextAuth>, Device, BackEnd) {
        let bench = try TestBench(
            NextAuth.self, fixtures: Cast.world(pingTime: pingTime, pinTimeout: pinTimeout))
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())
        return (bench, device, backEnd)
    }

    @Test func `it asks for the PIN and never for a confirmation, and its nonce is logged in`() throws {
        let (bench, device, backEnd) = try enrolled()
        bench.time.advance(seconds: 61)

        let flow = try device.start(["type": "APPLOGIN"])
        #expect(flow.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        #expect(flow.interaction?["context"] == "VERIFY")
        #expect(flow.session == nil)
        let done = try device.step("secondfactor", flow, device.factor(flow, 1))
        #expect(done.state == "DONE")
        #expect(done.interaction?["result"] == "SUCCESS")
        let nonce = try #require(done.session?["webnonce"]?.string)
        #expect(nonce.wholeMatch(of: /[0-9a-f]{32}/) != nil)
        #expect(done.session?["username"] == "ada@phone")
        #expect(done.session?["applogin"] == true)
        #expect(done.session?["oneshot"] == false)

        let session = try backEnd.session(nonce)
        #expect(session.state == .loggedIn)
        #expect(session.account == 1)
        #expect(session.hsid == done.session?["hsid"]?.string)
    }

    @Test func `right after the enrolment it is silent`() throws {
        let (_, device, _) = try enrolled()
        let flow = try device.start(["type": "APPLOGIN"])
        #expect(flow.state == "WAIT_FOR_INPUT")
        #expect(flow.interaction == nil)
        let done = try device.step("complete", flow, ["signature": .string(try device.sign(flow, 1))])
        #expect(done.state == "DONE")
        #expect(done.session?["applogin"] == true)
    }

    @Test func `a second one takes the place of the first, and the device hears of its end`() throws {
        let (_, device, backEnd) = try enrolled(pinTimeout: 60)
        let first = try device.appLogIn(1)
        let second = try device.appLogIn(1)
        let stop = try device.get("/events")["events"]?.array?.last
        #expect(stop?["type"] == "SESSION_STOP")
        #expect(stop?["sessionid"]?.string == first.sessionID)
        #expect(stop?["reason"] == "REPLACED")
        #expect(try backEnd.session(#require(second.session?["webnonce"]?.string)).state == .loggedIn)
        #expect(try device.start(["type": "APPLOGIN"]).interaction == nil, "the second factor stays cached")
    }

    enum Ending: CaseIterable { case stop, inactivity, server, ping }

    @Test(arguments: Ending.allCases)
    func `after every logout it asks, and the nonce is worth nothing`(_ ending: Ending) throws {
        // Without its end this AppLogin would not ask again for an hour.
        let (bench, device, backEnd) = try enrolled(pinTimeout: 60)
        let login = try device.appLogIn(1, config: ["inactivityTimeout": 10])
        let nonce = try #require(login.session?["webnonce"]?.string)
        #expect(try device.start(["type": "APPLOGIN"]).interaction == nil)

        switch ending {
        case .stop:
            #expect(
                try device.post("/sessions/\(login.sessionID)/stop", ["reason": "USER"])["state"] == "DONE")
        case .inactivity:
            bench.time.advance(seconds: 11)
            let activity = ManualTime.start.unixSeconds
            let ping = device.send(
                .post, "/sessions/\(login.sessionID)/ping", ["activity": .integer(activity)])
            #expect(ping.status == .notFound)
        case .server: try backEnd.logOut(nonce)
        case .ping: bench.time.advance(seconds: 303)
        }

        #expect(try backEnd.session(nonce).state == .loggedOut)
        let next = try device.start(["type": "APPLOGIN"])
        #expect(next.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        #expect(try device.step("secondfactor", next, device.factor(next, 1)).state == "DONE")
    }

    @Test func `one that was silent at its start asks when a logout came between`() throws {
        let (_, device, backEnd) = try enrolled()
        let running = try device.appLogIn(1)
        let flow = try device.start(["type": "APPLOGIN"])
        #expect(flow.interaction == nil)
        try backEnd.logOut(#require(running.session?["webnonce"]?.string))

        let asked = try device.step("complete", flow, ["signature": .string(try device.sign(flow, 1))])
        #expect(asked.state == "WAIT_FOR_INPUT")
        #expect(asked.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        #expect(asked.session == nil)
        #expect(try device.answerFactor(asked).state == "DONE")
    }

    @Test func `another AppLogin takes the place of the one that runs`() throws {
        let (_, device, backEnd) = try enrolled()
        let first = try device.appLogIn(1)
        let second = try device.appLogIn(1)
        #expect(try backEnd.session(#require(first.session?["webnonce"]?.string)).state == .loggedOut)
        #expect(try backEnd.session(#require(second.session?["webnonce"]?.string)).state == .loggedIn)
    }

    @Test func `it needs a server with continuous authentication`() throws {
        let (bench, device, _) = try enrolled(pingTime: 0)
        let refused = device.send(.post, "/flows", ["type": "APPLOGIN"])
        #expect(refused.status == .conflict)
        #expect(
            refused.fields == [
                "code": "CONTINUOUS_AUTH_REQUIRED", "number": "39",
                "message": "The server has no continuous authentication",
            ])
        #expect(bench.explanation?.contains("pingTime 0") == true)
    }

    @Test func `it assumes one account`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        #expect(try device.start(["type": "APPLOGIN"]).code == "NO_ACCOUNTS_FOR_SERVER")

        try device.enrol(try backEnd.enrolmentCode())
        #expect(
            try device.start(["type": "APPLOGIN", "serverid": .string(Cast.otherServerID)]).code
                == "NO_ACCOUNTS_FOR_SERVER")
        try device.enrol(try backEnd.enrolmentCode("second"))
        let refused = device.send(.post, "/flows", ["type": "APPLOGIN"])
        #expect(
            refused.fields == [
                "code": "MULTIPLE_ACCOUNTS", "number": "38", "message": "Only one account is allowed",
            ])
    }

    @Test func `its own timeout ends it, however often it is pinged`() throws {
        let (bench, device, backEnd) = try enrolled()
        let login = try device.appLogIn(1, config: ["appLoginTimeout": 400])
        #expect(login.session?["expires"]?.integer == ManualTime.start.unixSeconds + 400)
        bench.time.advance(seconds: 200)
        #expect(try device.post("/sessions/\(login.sessionID)/ping")["state"] == "ACTIVE")
        bench.time.advance(seconds: 201)
        #expect(try backEnd.session(#require(login.session?["webnonce"]?.string)).state == .loggedOut)
        let events = try device.get("/events")["events"]?.array
        let stop = events?.first { $0["sessionid"]?.string == login.sessionID }
        #expect(stop?["type"] == "SESSION_STOP")
        #expect(stop?["reason"] == "APPLOGIN_TIMEOUT")
    }
}
