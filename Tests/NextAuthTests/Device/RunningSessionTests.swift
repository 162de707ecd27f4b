import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

@Suite struct RunningSessionTests {
    private func loggedIn(
        pingTime: Int = 300, config: JSONValue = [:]
    ) throws -> (bench: TestBench<NextAuth>, device: Device, backEnd: BackEnd, login: FlowObject) {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world(pingTime: pingTime))
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())
        return (bench, device, backEnd, try device.appLogIn(1, config: config))
    }

    private func nonce(_ login: FlowObject) throws -> String {
        try #require(login.session?["webnonce"]?.string)
    }

    @Test func `a missed ping ends the session two seconds after the ping time, and is named`() throws {
        let (bench, device, backEnd, login) = try loggedIn()
        bench.time.advance(seconds: 302)
        #expect(try backEnd.session(nonce(login)).state == .loggedIn)
        bench.time.advance(seconds: 10)
        #expect(try backEnd.session(nonce(login)).state == .loggedOut)
        #expect(try backEnd.frames(nonce(login)) == ["LOGIN", "LOGOUT", "CANPROVOKE"])

        let told = bench.journal.first { $0.event == "AppLogin ended" }
        #expect(
            told?.explanation == "The AppLogin \(login.sessionID) ended with PING_TIMEOUT. "
                + "The last ping came 312 s ago, pingTime is 300 s.")
        let ping = device.send(.post, "/sessions/\(login.sessionID)/ping", [:])
        #expect(ping.status == .notFound)
        #expect(
            ping.fields == [
                "code": "SESSION_NOT_FOUND", "number": "42", "message": "No such running session",
            ])
        let stop = try device.get("/events")["events"]?.array?.first {
            $0["sessionid"]?.string == login.sessionID
        }
        #expect(stop?["type"] == "SESSION_STOP")
        #expect(stop?["reason"] == "PING_TIMEOUT")
    }

    @Test func `pings keep it alive, and say when the next is due`() throws {
        let (bench, device, backEnd, login) = try loggedIn()
        for _ in 1...5 {
            bench.time.advance(seconds: 300)
            #expect(
                try device.post("/sessions/\(login.sessionID)/ping") == ["state": "ACTIVE", "next": 150])
        }
        #expect(try backEnd.session(nonce(login)).state == .loggedIn)
    }

    @Test func `a changed ping time is for the next session only`() throws {
        let (bench, device, backEnd, login) = try loggedIn()
        try backEnd.change { $0.pingTime = 10 }
        #expect(try device.get("/events")["events"]?.array?.last?["type"] == "SERVER_UPDATED")
        bench.time.advance(seconds: 250)
        #expect(try backEnd.session(nonce(login)).state == .loggedIn)

        let next = try device.appLogIn(1)
        #expect(next.session?["pingTime"] == 10)
        bench.time.advance(seconds: 13)
        #expect(try backEnd.session(nonce(next)).state == .loggedOut)
    }

    @Test func `a ping that reports a user gone for too long ends it`() throws {
        let (bench, device, backEnd, login) = try loggedIn(config: ["inactivityTimeout": 60])
        bench.time.advance(seconds: 100)
        let now = ManualTime.start.unixSeconds + 100
        let alive = device.send(
            .post, "/sessions/\(login.sessionID)/ping", ["activity": .integer(now - 60)])
        #expect(alive.status == .ok)
        let over = device.send(
            .post, "/sessions/\(login.sessionID)/ping", ["activity": .integer(now - 61)])
        #expect(over.status == .notFound)
        #expect(bench.explanation?.contains("inactivity timeout of 60 s") == true)
        #expect(try backEnd.session(nonce(login)).state == .loggedOut)
    }

    @Test func `the list has the sessions that run, the enrolment's too`() throws {
        let (_, device, _, login) = try loggedIn()
        let types = try device.get("/sessions")["sessions"]?.array?.compactMap { $0["type"]?.string }
        #expect(types == ["ENROL", "APPLOGIN"])
        _ = try device.post("/sessions/\(login.sessionID)/stop")
        let left = try device.get("/sessions")["sessions"]?.array
        #expect(left?.count == 1)
    }

    @Test func `the list of sessions says the server's time, for the pings to come`() throws {
        let (bench, device, _, _) = try loggedIn()
        bench.time.advance(seconds: 77)
        #expect(try device.get("/sessions")["time"]?.integer == ManualTime.start.unixSeconds + 77)
    }

    @Test func `the app that stops is not told of it, and the reasons are the app's own`() throws {
        let (_, device, _, login) = try loggedIn()
        let wrong = device.send(
            .post, "/sessions/\(login.sessionID)/stop", ["reason": "PING_TIMEOUT"])
        #expect(wrong.fields["code"] == "BAD_REQUEST")
        _ = try device.post("/sessions/\(login.sessionID)/stop", ["reason": "INACTIVITY"])
        #expect(try device.get("/events")["events"] == [])
        #expect(
            device.send(.post, "/sessions/\(login.sessionID)/stop", [:]).fields["code"]
                == "SESSION_NOT_FOUND")
    }

    @Test func `a one-shot login lasts without a ping until its logout`() throws {
        let bench = try TestBench(NextAuth.self, fixtures: Cast.world(pingTime: 0))
        let backEnd = BackEnd(bench: bench)
        var device = try Device(bench)
        let done = try device.enrol(try backEnd.enrolmentCode())
        #expect(done.session?["oneshot"] == true)
        #expect(try device.get("/sessions")["sessions"] == [])
        bench.time.advance(seconds: 100_000)
        #expect(try backEnd.session("nonce").state == .loggedIn)
        try backEnd.logOut("nonce")
        #expect(try backEnd.session("nonce").state == .loggedOut)
    }

    @Test func `an enrolment is stopped by a back end, and the device hears of it and gets a push`() throws {
        let (_, device, backEnd, _) = try loggedIn()
        try backEnd.logOut("nonce")
        let events = try device.get("/events?since=0")
        #expect(events["events"]?.array?.compactMap { $0["type"]?.string } == ["SESSION_STOP", "MESSAGE"])
        #expect(events["last"] == 2)
        #expect(try device.get("/events?since=2")["events"] == [])
        #expect(try device.get("/messages").array?.first?["type"] == "LOGOUT")
    }

    @Test func `a listening device is reminded of a ping once`() throws {
        let (bench, device, _, login) = try loggedIn()
        bench.time.advance(seconds: 150)
        let own: (JSONValue) -> Bool = { $0["sessionid"]?.string == login.sessionID }
        #expect(try device.get("/events")["events"]?.array?.filter(own).count == 1)
        #expect(try device.get("/events")["events"]?.array?.filter(own).count == 1)
        #expect(try device.get("/events")["events"]?.array?.first?["type"] == "PING")
        _ = try device.post("/sessions/\(login.sessionID)/ping")
        bench.time.advance(seconds: 150)
        #expect(try device.get("/events")["events"]?.array?.filter(own).count == 2)
    }

    @Test func `events come over a web socket as they happen`() throws {
        let (bench, device, backEnd, _) = try loggedIn()
        let socket = try bench.webSocket(
            Device.base + "/events?since=0", protocols: ["device", device.token])
        #expect(socket.subprotocol == "device")
        #expect(socket.received == [#"{"events":[],"last":0}"#])

        try backEnd.block(1)
        let frames = try socket.received.dropFirst().map { try JSONValue(parsing: Array($0.utf8)) }
        let types = frames.flatMap { $0["events"]?.array ?? [] }.compactMap { $0["type"]?.string }
        #expect(types == ["SESSION_STOP", "SESSION_STOP", "ACCOUNT_UPDATED"])
        socket.close()
    }

    @Test func `a web socket without the token is refused`() throws {
        let (bench, _, _, _) = try loggedIn()
        #expect(throws: (any Error).self) {
            try bench.webSocket(Device.base + "/events", protocols: ["device", "unknown"])
        }
        #expect(bench.explanation?.hasPrefix("No instance has this device token.") == true)
    }
}
