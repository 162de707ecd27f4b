import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct EnrolmentTests {
    @Test func `an enrolment confirms, sets a PIN, and logs the session in`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        let device = try Device(bench)

        let started = try device.start(["type": "ENROL", "data": .string(try backEnd.enrolmentCode())])
        #expect(started.state == "WAIT_FOR_INPUT")
        #expect(started.interaction?["type"] == "CONFIRM")
        #expect(started.interaction?["name"] == "ada@phone")
        #expect(started.json["server"]?["serverName"] == "Test")
        #expect(try backEnd.frames("nonce") == ["CONFIRMSCAN"])
        #expect(try backEnd.session("nonce").state == .pending)

        let (confirmed, _) = try device.confirmEnrolment(started)
        #expect(confirmed.interaction?["type"] == "SET_SECOND_FACTOR")
        #expect(confirmed.interaction?["context"] == "FIRST_SET")
        let done = try device.answerFactor(confirmed)
        #expect(done.state == "DONE")
        #expect(done.interaction?["result"] == "SUCCESS")
        #expect(done.json["account"]?["username"] == "ada@phone")
        #expect(done.session?["userid"] == "ada")
        #expect(done.session?["applogin"] == false)
        #expect(done.session?["webnonce"] == .null)
        #expect(try backEnd.session("nonce").state == .loggedIn)
        #expect(try backEnd.frames("nonce") == ["CONFIRMSCAN", "LOGIN"])
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "SET")
    }

    @Test func `without a user the back end names one, and the device hears of it`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        let done = try device.enrol(try backEnd.enrolmentCode(user: nil))
        #expect(done.session?["userid"] == .null)

        let platform = NextAuth(bench.world)
        try platform.change { turn in
            let account = try #require(try Account.find(1, in: turn.db))
            _ = try platform.accounts.attach(account, to: "grace", in: turn)
        }
        let events = try device.get("/events")
        #expect(events["events"]?.array?.count == 1)
        #expect(
            events["events"]?.array?.first == [
                "seq": 1, "type": "ACCOUNT_UPDATED", "accountid": 1, "username": "ada@phone",
                "userid": "grace", "blocked": false,
            ])
    }

    @Test func `a code works once`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let code = try BackEnd(bench: bench).enrolmentCode()
        var device = try Device(bench)
        try device.enrol(code)

        bench.time.advance(seconds: 5)
        let again = device.send(.post, "/flows", ["type": "ENROL", "data": .string(code)])
        #expect(again.status == .gone)
        #expect(
            again.fields == [
                "code": "CODE_USED", "number": "40", "message": "The code was used or has expired",
            ])
        #expect(bench.explanation == "The code was used 5 s ago, and it works once. Make a new one.")
    }

    @Test func `of two devices with one code the second one loses`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let code: JSONValue = .string(try BackEnd(bench: bench).enrolmentCode())
        let (first, second) = (try Device(bench), try Device(bench))
        let (one, other) = (
            try first.start(["type": "ENROL", "data": code]),
            try second.start(["type": "ENROL", "data": code])
        )
        let late = try second.confirmEnrolment(other).flow
        _ = try first.answerFactor(first.confirmEnrolment(one).flow)

        #expect(try second.answerFactor(late).code == "CODE_USED")
        #expect(try second.get("/accounts") == [])
    }

    @Test func `a code lives for ten minutes`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let code = try BackEnd(bench: bench).enrolmentCode()
        let device = try Device(bench)
        bench.time.advance(seconds: 600)
        #expect(try device.start(["type": "ENROL", "data": .string(code)]).code == "CODE_USED")
        #expect(bench.explanation == "The code expired 0 s ago. Make a new one.")
    }

    @Test func `a second enrolment on the device asks for the PIN`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())

        let started = try device.start([
            "type": "ENROL", "data": .string(try backEnd.enrolmentCode("second")),
        ])
        let confirmed = try device.confirmEnrolment(started).flow
        #expect(confirmed.interaction?["type"] == "VERIFY_SECOND_FACTOR")
        #expect(confirmed.interaction?["allowed"] == ["PIN"])
        #expect(try device.answerFactor(confirmed).state == "DONE")
    }

    @Test func `a headless account has no second factor`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        var device = try Device(bench)
        let done = try device.enrol(try BackEnd(bench: bench).enrolmentCode(), headless: true)
        #expect(done.state == "DONE")
        #expect(done.interaction == nil)
        #expect(try device.get("/instance")["secondfactor"]?["pin"] == "UNSET")
    }

    @Test func `an app with a single account takes no second one`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())

        let refused = device.send(
            .post, "/flows",
            [
                "type": "ENROL", "data": .string(try backEnd.enrolmentCode("second")),
                "config": ["singleAccount": true],
            ])
        #expect(refused.status == .conflict)
        #expect(
            refused.fields == [
                "code": "MULTIPLE_ACCOUNTS", "number": "38", "message": "Only one account is allowed",
            ])
    }

    @Test func `code data comes as text, as base64url, as Base64 and as a link`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let text = try BackEnd(bench: bench).enrolmentCode()
        let device = try Device(bench)
        let bytes = Array(text.utf8)
        for data in [
            text, Base64URL.encode(bytes), Base64.encode(bytes),
            "com.nextauth.client:" + Base64URL.encode(bytes),
        ] {
            #expect(try device.start(["type": "ENROL", "data": .string(data)]).state == "WAIT_FOR_INPUT")
        }
    }

    @Test func `a declined enrolment leaves the session logged out`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        let backEnd = BackEnd(bench: bench)
        let device = try Device(bench)
        let flow = try device.start(["type": "ENROL", "data": .string(try backEnd.enrolmentCode())])

        let cancelled = try device.step("cancel", flow)
        #expect(cancelled.state == "ERROR")
        #expect(cancelled.json["error"]?["code"] == "CANCELLED")
        #expect(try backEnd.frames("nonce") == ["CONFIRMSCAN", "CANCEL"])
        #expect(try backEnd.session("nonce").state == .loggedOut)
    }
}
