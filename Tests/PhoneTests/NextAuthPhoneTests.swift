import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Phone

/// The app of nextAuth on a simulated phone, against the server over HTTP.
@Suite struct NextAuthPhoneTests {
    private static let phones = "{\"name\": \"ada\", \"owner\": \"ada\", \"mail\": \"ada@example.com\"}"

    private struct Shop {
        let bench: PhoneBench

        func ask(_ method: Request.Method, _ path: String, _ nonce: String, _ body: JSONValue? = nil) throws
            -> Response
        {
            let response = try bench.call(
                method, "/nextauth/servers/\(PhoneBench.server)" + path, body,
                headers: ["X-apikey": "shop-key", "X-nonce": nonce])
            try #require(response.status == .ok, "\(path): \(response.text)")
            return response
        }

        func user(_ nonce: String) throws -> String? {
            try JSONValue(parsing: ask(.get, "/sessions/", nonce).bytes)["userid"]?.string
        }
    }

    /// Enrolled, and a minute later: an AppLogin asks for the PIN.
    private func enrolled(_ more: String = "") throws -> (PhoneBench, Shop) {
        let bench = try PhoneBench(phones: Self.phones.dropLast() + more + "}")
        _ = try bench.done { try $0.enrol("nextauth", TypedIn()) }
        try bench.world.clock.advance(seconds: 61)
        return (bench, Shop(bench: bench))
    }

    private func appLogin(_ bench: PhoneBench, _ inputs: [String: String] = [:]) throws -> String {
        let asked = try bench.done { try $0.perform("applogin", inputs, at: "nextauth") }
        #expect(asked.kind == "applogin")
        let done = try bench.done { try $0.answer(asked.id, PhoneAnswer(.approve)) }
        return try #require(done.code)
    }

    @Test func `the owner enrols by mail address, and logs a browser in by its code`() throws {
        let (bench, shop) = try enrolled()
        let code = try shop.ask(.get, "/sessions/qr/login", "browser").text

        let asked = try bench.done { try $0.scan(code, TypedIn()) }
        #expect(asked.kind == "login")
        let wrong = try bench.refusal { try $0.answer(asked.id, PhoneAnswer(.approve, by: .wrongPIN)) }
        #expect(wrong.sdkError == "SecondFactor.WRONG" && wrong.explanation.hasSuffix("tries left: 4."))
        #expect(try shop.user("browser") == nil)
        let done = try bench.done { try $0.answer(asked.id, PhoneAnswer(.approve)) }
        #expect(done.kind == "approved")
        #expect(try shop.user("browser") == "ada@example.com")
        #expect(try bench.center.look(at: "ada", in: bench.world).requests.isEmpty)
    }

    @Test func `a clock that is moved makes the phone late with its ping, and at last miss it`() throws {
        let (bench, shop) = try enrolled()
        let nonce = try appLogin(bench)
        let pings = {
            bench.world.journal.entries().filter { $0.exchange?.target.hasSuffix("/ping") ?? false }.count
        }

        for _ in 1...3 {
            let before = pings()
            try bench.world.clock.advance(seconds: 200)
            bench.world.clockMoved()
            try bench.until("the pings") { pings() == before + 2 }
            // Errands of a phone follow each other: when this one is done, so are its pings.
            _ = try bench.have { _ in true }
        }
        #expect(try shop.user(nonce) != nil)
        try bench.world.clock.advance(seconds: 303)
        #expect(try shop.user(nonce) == nil)
    }

    @Test func `a phone that keeps alive sends its pings while the clock is under way`() throws {
        let (bench, shop) = try enrolled(", \"keeps_alive\": true")
        let nonce = try appLogin(bench)
        let before = bench.world.clock.now

        let moved = try bench.center.advance(bench.world, by: 3600, at: bench.url) {
            Response(status: .noContent)
        }.awaited()
        #expect(moved.status == .noContent)
        #expect(abs(bench.world.clock.now.timeIntervalSince(before) - 3600) < 0.01)
        #expect(try shop.user(nonce) == "ada@example.com")
    }

    @Test func `a move of the clock out of its range is refused and moves nothing`() throws {
        let (bench, _) = try enrolled(", \"keeps_alive\": true")
        let before = bench.world.clock.now
        #expect(throws: ClockOutOfRange.self) {
            _ = try bench.center.advance(bench.world, by: 1e12, at: bench.url) { Response(status: .ok) }
        }
        #expect(bench.world.clock.now == before)
    }

    @Test func `actions are told, and others are refused`() throws {
        let (bench, _) = try enrolled()
        let app = try #require(try bench.center.look(at: "ada", in: bench.world).shownApps.first)
        #expect(app.actions.map(\.name) == ["applogin", "change_pin", "delete_account"])

        let unknown = try bench.refusal { try $0.perform("fly", [:], at: "nextauth") }
        #expect(unknown.kind == .malformed && unknown.explanation.contains("applogin"))
        let own = try bench.refusal { try $0.perform("sign", [:], at: nil) }
        #expect(own.explanation == unknown.explanation.replacing("fly", with: "sign"), "its own app speaks")
        let wrong = try bench.refusal {
            try $0.perform("applogin", ["applogin_timeout": "soon"], at: "nextauth")
        }
        #expect(wrong.kind == .malformed && wrong.explanation.contains("applogin_timeout"))
        let nowhere = try bench.refusal { try $0.perform("applogin", [:], at: "hanko") }
        #expect(nowhere.kind == .absent)
    }

    @Test func `what an app has kept is told from what it has not`() throws {
        let (bench, _) = try enrolled()
        let kept = try #require(try Phones(bench.world).installed(on: "ada").first)
        #expect(NextAuthApp.isKept(kept.state) && !NextAuthApp.isKept(["pin": "1"]))
        #expect(!MIRACLApp.isKept(kept.state))
    }
}
