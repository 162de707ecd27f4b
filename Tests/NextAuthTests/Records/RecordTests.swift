import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import NextAuth

/// What the console shows and does.
@Suite struct RecordTests {
    private let bench: TestBench<NextAuth>
    private let backEnd: BackEnd
    private var device: Device
    private let login: FlowObject

    private var platform: NextAuth { NextAuth(bench.world) }

    init() throws {
        bench = try TestBench(NextAuth.self, fixtures: Cast.world())
        backEnd = BackEnd(bench: bench)
        device = try Device(bench)
        try device.enrol(try backEnd.enrolmentCode())
        login = try device.appLogIn(1)
    }

    @Test func `everything that is kept is a record, and is found by its id`() throws {
        let records = try platform.records()
        let kinds = Dictionary(grouping: records, by: \.kind).mapValues(\.count)
        #expect(
            kinds == ["server": 2, "user": 1, "account": 1, "device": 1, "session": 2, "enrolment": 1])
        #expect(records.map(\.createdAt) == records.map(\.createdAt).sorted(by: >))
        for record in records { #expect(try platform.record(record.id) == record) }
        for id in ["account:2", "session:none", "nothing", "user:x", "enrolment:none"] {
            #expect(try platform.record(id) == nil)
        }
    }

    @Test func `an account is blocked, unblocked and deleted`() throws {
        try platform.perform("block", onRecord: "account:1", [:])
        #expect(try platform.record("account:1")?.state == "BLOCKED")
        #expect(try backEnd.session("nonce").state == .loggedOut)
        try platform.perform("unblock", onRecord: "account:1", [:])
        #expect(try platform.record("account:1")?.state == "ACTIVE")
        try platform.perform("delete", onRecord: "account:1", [:])
        #expect(try platform.record("account:1") == nil)
        #expect(try device.get("/accounts") == [])
    }

    @Test(arguments: [("stop", "ADMIN"), ("miss_ping", "PING_TIMEOUT")])
    func `a session is stopped, also as by a missed ping`(_ action: String, _ reason: String) throws {
        try platform.perform(action, onRecord: "session:\(login.sessionID)", [:])
        let record = try #require(try platform.record("session:\(login.sessionID)"))
        #expect(record.state == "LOGGED_OUT")
        #expect(record.steps.map(\.state) == ["LOGGED_IN", reason])
        #expect(record.actions == [])
        #expect(try device.get("/events")["events"]?.array?.last?["reason"]?.string == reason)
        #expect(throws: RecordRefusal.actionUnknown(action, known: [])) {
            try platform.perform(action, onRecord: record.id, [:])
        }
    }

    @Test func `a blocked PIN is unlocked`() throws {
        bench.time.advance(seconds: 61)
        var flow = try device.start(["type": "APPLOGIN"])
        for _ in 1...5 { flow = try device.step("secondfactor", flow, device.factor(flow, 1, pin: "0")) }
        let id = "device:\(device.instanceID)"
        #expect(try platform.record(id)?.state == "PIN BLOCKED")
        try platform.perform("unlock", onRecord: id, [:])
        #expect(try platform.record(id)?.state == "PIN SET")
        #expect(try device.appLogIn(1).state == "DONE")
    }

    @Test func `a device is wiped, a user deleted with all accounts`() throws {
        try platform.perform("delete", onRecord: "user:\(Cast.serverID) ada", [:])
        #expect(try platform.record("account:1") == nil)
        try platform.perform("wipe", onRecord: "device:\(device.instanceID)", [:])
        #expect(device.send(.get, "/instance").status == .unauthorized)
    }

    @Test func `a server's times are changed, within reason`() throws {
        let id = "server:\(Cast.serverID)"
        try platform.perform("change", onRecord: id, ["ping_time": "0", "pin_timeout": "-1"])
        #expect(try platform.record(id)?.state == "one-shot")
        #expect(throws: RecordRefusal.self) {
            try platform.perform("change", onRecord: id, ["ping_time": "-1"])
        }
    }

    @Test func `an enrolment code is made, and a device uses it`() throws {
        let id = try platform.makeRecord(
            "enrolment", ["name": "grace@phone", "user": "grace", "server": Cast.serverID])
        let code = try #require(try platform.record(id)?.code)
        var second = try Device(bench)
        #expect(try second.enrol(code).session?["userid"] == "grace")
        #expect(try platform.record(id)?.state == "USED")
        #expect(throws: RecordRefusal.inputMissing("name")) {
            try platform.makeRecord("enrolment", ["server": Cast.serverID])
        }
    }

    @Test func `a login by code waits on the page, and is finished or declined there`() throws {
        let api = try ServerAPI()
        let platform = NextAuth(api.bench.world)
        #expect(try platform.transactions().isEmpty, "the session of the enrolment waits for no login")
        let code = api.send(.get, "/sessions/qr/login", nonce: "browser").text
        let shown = try #require(try platform.transactions().first)
        #expect(
            (shown.kind, shown.title, shown.state, shown.isOpen) == ("login", "Login by code", "NEW", true))
        #expect(shown.actions == ["confirm:1", "decline"])
        let data = try CodeData(parsing: code)
        #expect(try CodeData(parsing: #require(shown.code)).hsid == data.hsid)

        #expect(throws: TransactionRefusal.actionUnknown("confirm:2", known: shown.actions)) {
            try platform.decide("confirm:2", on: shown.id)
        }
        try platform.decide("confirm:1", on: shown.id)
        #expect(try api.get("/sessions/", nonce: "browser")["userid"] == "ada")
        let done = try #require(try platform.transactions().first)
        #expect((done.id, done.state, done.isOpen, done.user) == (shown.id, "LOGGED_IN", false, "ada"))
        #expect(throws: TransactionRefusal.tooLate("decline", state: "LOGGED_IN")) {
            try platform.decide("decline", on: shown.id)
        }

        _ = api.send(.get, "/sessions/qr/login", nonce: "another browser")
        let second = try #require(try platform.transactions().first)
        try platform.decide("decline", on: second.id)
        #expect(try platform.transactions().first?.state == "LOGGED_OUT")
        #expect(try api.get("/sessions/", nonce: "another browser")["loggedin"] == false)
        #expect(try api.backEnd.frames("another browser") == ["CANCEL"])
        #expect(throws: TransactionRefusal.unknown("code:x:y")) {
            try platform.decide("decline", on: "code:x:y")
        }
    }

    @Test func `a login by push waits on the page, and its user is known`() throws {
        let api = try ServerAPI()
        let platform = NextAuth(api.bench.world)
        try api.backEnd.provoke("browser", 1)
        let shown = try #require(try platform.transactions().first)
        #expect((shown.kind, shown.title, shown.user) == ("push", "Login by push", "ada"))
        #expect((shown.state, shown.actions) == ("NEW", ["confirm", "decline"]))
        try platform.decide("confirm", on: shown.id)
        #expect(try platform.transactions().first?.state == "USED")
        #expect(try api.backEnd.session("browser").state == .loggedIn)
        #expect(throws: TransactionRefusal.tooLate("confirm", state: "USED")) {
            try platform.decide("confirm", on: shown.id)
        }
        try api.backEnd.provoke("browser", 1)
        api.bench.time.advance(seconds: 600)
        #expect(try platform.transactions().first?.state == "EXPIRED")
    }

    @Test func `a transaction is decided without a device, once`() throws {
        let (id, _) = try backEnd.transaction("nonce", 1)
        #expect(try platform.transactions().first?.actions == ["approve", "decline"])
        try platform.decide("decline", on: id)
        #expect(try backEnd.status(id) == "2")
        #expect(try platform.transactions().first?.state == "declined")
        #expect(throws: TransactionRefusal.tooLate("approve", state: "declined")) {
            try platform.decide("approve", on: id)
        }
    }
}
