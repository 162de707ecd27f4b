import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Phone

/// Several accounts of one app on a phone.
@Suite struct AccountTests {
    private func bench() throws -> PhoneBench {
        let bench = try PhoneBench(
            phones: "{\"name\": \"ada\", \"owner\": \"ada\", \"mail\": \"ada@example.com\"}")
        _ = try bench.done { try $0.enrol("miracl", TypedIn()) }
        var typed = TypedIn()
        (typed.user, typed.pin) = ("bob@example.com", "9753")
        _ = try bench.done { [typed] in try $0.enrol("miracl", typed, as: "work") }
        return bench
    }

    /// - Returns: the access code.
    private func session(_ bench: PhoneBench, as account: String?) throws -> String {
        let opened = try bench.call(.post, "/miracl/rps/v2/session", ["projectId": "blue"])
        let code = try #require(try JSONValue(parsing: opened.bytes)["qrURL"]?.string)
        return try bench.done { try $0.scan(code, TypedIn(), as: account) }.id
    }

    private func user(_ bench: PhoneBench, _ account: String?) throws -> String? {
        let app = try bench.center.look(at: "ada", in: bench.world).shownApps.first { $0.account == account }
        return app?.facts.first { $0.name == "User" }?.value
    }

    @Test func `each account has a user, a PIN and a row of its own`() throws {
        let bench = try bench()

        #expect(try user(bench, nil) == "ada@example.com" && user(bench, "work") == "bob@example.com")
        let rows = try Phones(bench.world).installed(on: "ada")
        #expect(rows.map(\.account) == ["", "work"] && rows.map(\.platform) == ["miracl", "miracl"])
        let id = try session(bench, as: "work")
        let shown = try bench.center.look(at: "ada", in: bench.world).requests
        #expect(shown.map(\.id) == [id] && shown.map(\.account) == ["work"])
        let wrong = try bench.refusal { try $0.answer(id, PhoneAnswer(.approve, pin: "2580")) }
        #expect(wrong.sdkError == "AuthenticationException.UnsuccessfulAuthentication")
        #expect(try bench.done { try $0.answer(id, PhoneAnswer(.approve)) }.kind == "approved")
    }

    @Test func `what has the same id in two accounts is told apart by the account`() throws {
        let bench = try bench()
        for account in ["", "work"] {
            _ = try bench.done { try $0.perform("otp", [:], at: "miracl", as: account) }
        }

        let late = try bench.done { try $0.answer("otp", PhoneAnswer(.approve, as: "work"), after: 60) }
        #expect(late.kind == "scheduled")
        _ = try bench.done { try $0.answer("otp", PhoneAnswer(.decline, as: ""), after: 60) }
        #expect(try Phones(bench.world).plans().map(\.account).sorted() == ["", "work"])
        #expect(try bench.done { try $0.answer("otp", PhoneAnswer(.approve, as: "work")) }.code != nil)
        #expect(try bench.center.look(at: "ada", in: bench.world).requests.map(\.account) == [nil])
    }

    @Test func `a policy answers for the account that was asked`() throws {
        let bench = try bench()
        _ = try bench.done { try $0.perform("otp", [:], at: "miracl", as: "work") }
        _ = try bench.done { try $0.perform("otp", [:], at: "miracl", as: "") }
        _ = try Phones(bench.world).change("ada") { $0.policy = .decline }

        _ = try bench.have { session in
            try session.followPolicy()
            return true
        }
        #expect(try bench.center.look(at: "ada", in: bench.world).requests.isEmpty)
    }

    @Test func `an app has ten accounts at most, whose names are as those of phones`() throws {
        let bench = try bench()
        for number in 3...AppName.limit {
            _ = try bench.done { session in
                var typed = TypedIn()
                typed.user = "user\(number)@example.com"
                return try session.enrol("miracl", typed, as: "account-\(number)")
            }
        }

        let full = try bench.refusal { try $0.enrol("miracl", TypedIn(), as: "one-more") }
        #expect(full.kind == .conflict && full.explanation.contains("at most 10 accounts"))
        let named = try bench.refusal { try $0.enrol("nextauth", TypedIn(), as: "Work!") }
        #expect(named.kind == .malformed && named.explanation.contains("not “Work!”"))
        let absent = try bench.refusal { try $0.perform("otp", [:], at: "nextauth", as: "work") }
        #expect(absent.explanation.contains("has no account “work”"))
    }

    @Test func `an app of an older database is the first account`() throws {
        let database = try Database(.memory)
        let before = Phone.migrations + InstalledApp.migrations + PhonePlan.migrations
        try database.migrate([("phones", before)])
        try database.write { db in
            try db.execute(
                "INSERT INTO phones_app VALUES ('ada', 'miracl', 7, '{}', 1000, 2)")
            try db.execute(
                """
                INSERT INTO phones_plan VALUES ('ada', 'otp', 1000, '{"verdict":"approve"}', 1)
                """)
        }

        try database.migrate([("phones", Phones.migrations)])
        let app = try #require(try database.read { try $0.all(InstalledApp.self) }.first)
        #expect(app.name == AppName("miracl", "") && app.revision == 7 && app.rings == 2)
        #expect(app.dueAt == Date(timeIntervalSince1970: 1))
        let plan = try #require(try database.read { try $0.all(PhonePlan.self) }.first)
        #expect(plan.account.isEmpty && plan.request == "otp" && plan.answer == PhoneAnswer(.approve))
    }
}
