import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import MIRACL

@Suite struct ConfirmationTests {
    private static let info = "Invalid or expired verification code"

    private func wrong(_ accessID: String = "") -> JSONValue {
        refusal("UNSUCCESSFUL_VERIFICATION", Self.info, ["projectId": "blue", "accessId": accessID])
    }

    @Test func `a code is traded for an activation token, with what was asked for beside it`() throws {
        let bench = try TestProject.bench()
        let mail = try bench.mail(["accessId": "some-session", "state": "s", "nonce": "n"]).mail

        let confirmed = try bench.confirm(#require(mail?.message.code))

        #expect(confirmed.status == .ok)
        var members = confirmed.members
        let token = members.removeValue(forKey: "actToken")?.string
        #expect(token?.utf8.count == 32)
        #expect(
            members == [
                "projectId": "blue", "accessId": "some-session", "state": "s", "nonce": "n",
                "expireTime": .integer(Int(bench.clock.now.timeIntervalSince1970) + 3600),
            ])
    }

    @Test func `without an access code the answer says null`() throws {
        let bench = try TestProject.bench()

        let confirmed = try bench.confirm(#require(bench.mail().mail?.message.code))

        #expect(confirmed.members["accessId"] == .null)
        #expect(Set(confirmed.members.keys) == ["projectId", "actToken", "accessId", "expireTime"])
    }

    @Test func `the token registers a device once`() throws {
        let bench = try TestProject.bench()
        let token = try bench.activationToken()

        let phone = try Phone(on: bench, activationToken: token)
        #expect(try phone.authenticate(scope: ["jwt"], wam: true).status == .ok)

        let again = try bench.post(
            "/miracl/registration",
            [
                "userId": "ada@example.org", "deviceName": "b", "activationToken": token,
                "publicKey": phone.keyText,
            ])
        #expect(again.status == .forbidden)
        #expect(again.json == refusal("INVALID_ACTIVATION_TOKEN", "Invalid activation token"))
    }

    @Test func `a token expires`() throws {
        let bench = try TestProject.bench("\"lifetimes\": {\"activation\": 60},")
        let token = try bench.activationToken()
        try bench.clock.advance(seconds: 60)

        let late = try bench.put(
            "/miracl/rps/v2/user", ["userId": "ada@example.org", "activateCode": token])

        #expect(late.status == .forbidden)
    }

    @Test func `a code is good once, in its time, and for its user`() throws {
        let bench = try TestProject.bench()
        let mail = try bench.mail(["accessId": "some-session"]).mail
        let code = try #require(mail?.message.code)

        let foreign = try bench.confirm(code, as: "bob@example.org")
        #expect(foreign.status == .badRequest)
        #expect(foreign.json == wrong())
        #expect(try bench.confirm("deadbeef").json == wrong())
        #expect(try bench.confirm(code).status == .ok)
        #expect(try bench.confirm(code).json == wrong("some-session"))
        #expect(bench.explanation?.contains("already used") == true)

        let late = try #require(try bench.mail().mail?.message.code)
        try bench.clock.advance(seconds: 3600)
        #expect(try bench.confirm(late).json == wrong())
        #expect(bench.explanation?.contains("it expired at") == true)
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `five wrong digits spend the right ones`() throws {
        let bench = try TestProject.bench("\"verification_method\": \"code\",")
        let code = try #require(bench.mail().mail?.message.code)
        let other = code == "000000" ? "000001" : "000000"

        for _ in 1...4 { #expect(try bench.confirm(other).json == wrong()) }
        let next = try #require(bench.mail().mail?.message.code)
        #expect(try bench.confirm(other == next ? "000002" : other).json == wrong())

        #expect(try bench.confirm(code).json == wrong(), "it has seen five")
        #expect(try bench.confirm(next).status == .ok, "it has seen one")
    }

    @Test func `wrong digits for one user are nothing to another`() throws {
        let bench = try TestProject.bench("\"verification_method\": \"code\",")
        let code = try #require(bench.mail().mail?.message.code)

        for _ in 1...6 { _ = try bench.confirm("12345", as: "bob@example.org") }

        #expect(try bench.confirm(code).status == .ok)
    }

    @Test(arguments: [("{}", "userId"), (#"{"userId": "a"}"#, "code")])
    func `members that are missing are named`(_ body: String, _ member: String) throws {
        let bench = try TestProject.bench()

        let refused = bench.post("/miracl/verification/confirmation", raw: body)

        #expect(refused.status == .badRequest)
        #expect(
            refused.json
                == refusal(
                    "INVALID_REQUEST_PARAMETERS", "Invalid request parameters", ["params": member]))
    }

    @Test func `opening the link spends nothing, its button verifies the registration`() throws {
        let bench = try TestProject.bench()
        let begun = try bench.put("/miracl/rps/v2/user", ["userId": "ada@example.org"]).members
        let (id, regOTT) = (begun["mpinId"]?.string ?? "", begun["regOTT"]?.string ?? "")
        let share = "/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)"
        let link = try #require(bench.messages.first?.message.link)

        for _ in 1...2 {
            let page = bench.get(link.path)
            #expect(page.status == .ok)
            #expect(page.text.contains("<form method=\"post\" action=\"/miracl/verification/confirmation\">"))
            #expect(page.text.contains("value=\"ada@example.org\""))
        }
        #expect(bench.get(share).status == .unauthorized)
        let press = {
            bench.send(
                .post, "/miracl/verification/confirmation", body: Array(link.behind("?").utf8),
                headers: ["Content-Type": "application/x-www-form-urlencoded"])
        }
        let pressed = press()
        #expect(pressed.status == .ok)
        #expect(pressed.headers["Content-Type"] == "text/html; charset=utf-8")
        #expect(pressed.text.contains("Go back to the app"))
        #expect(bench.get(share).status == .ok)

        let again = press()
        #expect(again.status == .badRequest)
        #expect(again.text.contains("it was already used"))
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `the link of an app's own mail shows the activation token`() throws {
        let bench = try TestProject.bench()
        let link = try #require(bench.mail().mail?.message.link)

        let page = bench.send(
            .post, "/miracl/verification/confirmation", body: Array(link.behind("?").utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])

        let token = try #require(
            page.text.firstMatch(of: /<code id="activation-token">([0-9a-f]{32})</))
        _ = try Phone(on: bench, activationToken: String(token.1))
    }

    @Test func `a link verifies its own registration and no other`() throws {
        let bench = try TestProject.bench()
        let first = try bench.put("/miracl/rps/v2/user", ["userId": "ada@example.org"]).members
        let code = try #require(bench.messages.first?.message.code)
        _ = try bench.put("/miracl/rps/v2/user", ["userId": "ada@example.org"])

        _ = try bench.confirm(code)

        let states = try bench.world.database.read { db in
            try db.all(Identity.self).map {
                [$0.mpinID == first["mpinId"]?.string, $0.state == .verified]
            }
        }
        #expect(states == [[true, true], [false, false]])
    }

    @Test func `a mail for a registration that is pending verifies it`() throws {
        let bench = try TestProject.bench()
        let begun = try bench.put("/miracl/rps/v2/user", ["userId": "ada@example.org"]).members
        let id = try #require(begun["mpinId"]?.string)

        let code = try #require(bench.mail(["mpinId": .string(id)]).mail?.message.code)
        _ = try bench.confirm(code)

        let regOTT = begun["regOTT"]?.string ?? ""
        #expect(bench.get("/miracl/rps/v2/signature/\(id)?regOTT=\(regOTT)").status == .ok)
    }

    @Test func `a link that is not whole is told on a page`() throws {
        let bench = try TestProject.bench()

        let page = bench.get("/miracl/verification/confirmation?code=abc")

        #expect(page.status == .badRequest)
        #expect(page.text.contains("The link lacks “user_id”"))
    }
}
