import Crypto
import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

@Suite struct SessionTests {
    private static let forced = "\"force_activation\": true,"

    @Test func `every start gives the access code as accessId and as the fragment of qrURL`() throws {
        let bench = try TestProject.bench()
        let query = "/miracl/authorize?" + Browser.authorization

        let answers = [
            bench.send(.post, query),
            bench.post(query, raw: #"{"prerollid": "ada@example.org"}"#),
            bench.post(query, raw: #"{"prerollId": "ada@example.org", "registerOnly": true}"#),
            bench.send(
                .post, "/miracl/authorize", body: Array(Browser.authorization.utf8),
                headers: ["Content-Type": "application/x-www-form-urlencoded"]),
            bench.post("/miracl/rps/v2/session", raw: #"{"projectId": "blue", "userId": "ada@example.org"}"#),
        ]

        for answer in answers {
            #expect(answer.status == .ok)
            #expect(Set(answer.members.keys) == ["webOTT", "accessId", "accessURL", "qrURL"])
            let browser = try Browser(bench, answer)
            #expect(browser.accessID.utf8.count == 32)
            #expect(browser.webOTT.utf8.count == 32)
            #expect(answer.members["accessURL"] == "http://localhost:8420/miracl/rps/v2/access")
            #expect(browser.qrURL == "http://localhost:8420/miracl/mobile-login/#" + browser.accessID)
            #expect(try browser.status == "new")
        }
        #expect(bench.reports.lines.isEmpty)
    }

    @Test func `JSON that is labelled as a form is JSON`() throws {
        let bench = try TestProject.bench()

        let opened = bench.post(
            "/miracl/authorize?" + Browser.authorization, raw: #"{"prerollid": "ada@example.org"}"#,
            headers: ["Content-Type": "application/x-www-form-urlencoded"])

        let details = try Browser(bench, opened).tell("wid")
        #expect(details.members["prerollId"] == "ada@example.org")
    }

    @Test func `the details of a session are complete, also for clients of older generations`() throws {
        let bench = try TestProject.bench(
            "\"pin_length\": 5, \"identity_type\": \"alphanumeric\", \"logo_url\": \"https://blue.example/logo\","
        )
        let opened = bench.post(
            "/miracl/authorize?" + Browser.authorization,
            raw: #"{"prerollId": "ada@example.org", "registerOnly": true}"#)

        let details = try Browser(bench, opened).tell("wid")

        #expect(details.status == .ok)
        #expect(
            details.json == [
                "prerollId": "ada@example.org", "projectId": "blue", "projectName": "Blue",
                "projectLogoURL": "https://blue.example/logo", "pinLength": 5,
                "verificationMethod": "standardEmail", "verificationURL": "", "verificationCustomText": "",
                "identityType": "alphanumeric", "identityTypeLabel": "", "enableRegistrationCode": true,
                "limitRegCodeVerified": false, "description": "", "hash": "", "appName": "Blue",
                "appLogoURL": "https://blue.example/logo", "appIconUrl": "https://blue.example/logo",
                "customerId": "blue", "customerName": "Blue",
                "customerIconUrl": "https://blue.example/logo", "registerOnly": true, "clientId": "shop",
                "redirectURI": "https://shop.example/login",
            ])
    }

    @Test func `a session goes from new over wid and user to authenticated`() throws {
        let bench = try TestProject.bench(Self.forced)
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))

        #expect(
            try browser.access.json == ["status": "new", "statusCode": 200, "userId": "", "signature": ""])
        _ = try browser.tell("wid")
        #expect(try browser.status == "wid")
        let chosen = try browser.tell("user", ["userId": "ada@example.org"])
        #expect(chosen.json == ["status": "OK"])
        #expect(try browser.access.members["userId"] == "ada@example.org")
        #expect(try browser.status == "user")
        _ = try browser.tell("wid")
        #expect(try browser.status == "user", "asking for the details again takes nothing back")

        #expect(try phone.signIn(browser.accessID).status == .ok)

        let done = try browser.access
        #expect(done.members["status"] == "authenticated")
        #expect(done.members["userId"] == "ada@example.org")
        let url = try #require(done.members["redirectURL"]?.string)
        #expect(url.hasPrefix("https://shop.example/login?code="))
        #expect(Form(url.behind("?"))["state"] == "some-state")
    }

    @Test func `a session without a relying party is authenticated without a redirect`() throws {
        let bench = try TestProject.bench(Self.forced)
        let phone = try Phone(on: bench)
        let browser = try Browser(
            bench, bench.post("/miracl/rps/v2/session", raw: #"{"projectId": "blue"}"#))

        _ = try phone.signIn(browser.accessID)

        #expect(
            try browser.access.json == [
                "status": "authenticated", "statusCode": 200, "userId": "ada@example.org", "signature": "",
            ])
    }

    @Test func `one access code serves a registration and the login after it`() throws {
        let bench = try TestProject.bench(Self.forced)
        let browser = try Browser(bench)

        let begun = try bench.put(
            "/miracl/rps/v2/user", ["userId": "ada@example.org", "wid": browser.accessID])
        #expect(begun.status == .ok)
        try bench.clock.advance(seconds: 299)
        let phone = try Phone(on: bench)
        let done = try phone.authenticate(scope: ["authcode"], wid: browser.accessID)

        #expect(done.status == .ok)
        #expect(try done.members["code"]?.string == browser.code)
    }

    @Test func `a signing session hands over what is to be signed, and then the signature`() throws {
        let bench = try TestProject.bench()
        let browser = try Browser(
            bench,
            bench.post(
                "/miracl/rps/v2/session",
                raw: #"{"projectId": "blue", "userId": "ada", "description": "Pay 5", "hash": "c0ffee"}"#))
        let signature = Base64.encode(Array(#"{"hash":"c0ffee","mpinId":"7b7d"}"#.utf8))

        let details = try browser.tell("wid").members
        #expect(details["description"] == "Pay 5")
        #expect(details["hash"] == "c0ffee")
        let told = try browser.tell("signed", ["signature": .string(signature)])

        #expect(told.json == ["status": "OK"])
        #expect(
            try browser.access.json == [
                "status": "signed", "statusCode": 200, "userId": "", "signature": .string(signature),
            ])
    }

    @Test func `a session that was given up is over`() throws {
        let bench = try TestProject.bench(Self.forced)
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))

        #expect(try browser.tell("abort").json == ["status": "OK"])

        #expect(try browser.status == "abort")
        let late = try phone.signIn(browser.accessID)
        #expect(late.status == .preconditionFailed)
        #expect(late.json == refusal("INVALID_AUTH_SESSION", "Invalid or expired session"))
    }

    @Test(arguments: ["wid", "user", "abort", "signed"])
    func `no news is taken of a session that is unknown, over or expired`(_ status: String) throws {
        let bench = try TestProject.bench()
        let more: [String: JSONValue] = ["userId": "ada", "signature": "e30="]
        let gone = refusal("INVALID_AUTH_SESSION", "Invalid or expired session")

        let unknown = try bench.post(
            "/miracl/rps/v2/codeStatus",
            more.merging(["status": .string(status), "wid": "deadbeef"]) { one, _ in one })
        #expect(unknown.status == .notFound)
        #expect(unknown.json == gone)

        let aborted = try Browser(bench)
        _ = try aborted.tell("abort")
        #expect(try aborted.tell(status, more).json == gone)
        #expect(
            bench.explanation == "The access session is over: it is abort; an app needs a new access code.")
        #expect(try aborted.status == "abort")

        let slow = try Browser(bench)
        try bench.clock.advance(seconds: 300)
        let late = try slow.tell(status, more)
        #expect(late.status == .notFound)
        #expect(late.json == gone)
        #expect(try slow.status == "expired")
        #expect(bench.misshapenExplanations.isEmpty)
    }

    @Test func `an access code that names an expired session does not authenticate`() throws {
        let bench = try TestProject.bench(Self.forced + "\"lifetimes\": {\"session\": 10},")
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))

        try bench.clock.advance(seconds: 10)

        #expect(try phone.signIn(browser.accessID).status == .preconditionFailed)
        #expect(try browser.status == "expired")
    }

    @Test func `a session is finished once`() throws {
        let bench = try TestProject.bench(Self.forced)
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))

        _ = try phone.signIn(browser.accessID)
        let code = try browser.code
        let again = try phone.signIn(browser.accessID)

        #expect(again.status == .preconditionFailed)
        #expect(try browser.code == code)
        #expect(try browser.tell("user", ["userId": "eve"]).status == .notFound)
        #expect(try browser.access.members["userId"] == "ada@example.org")
    }

    @Test func `a session outlives its end by an hour`() throws {
        let bench = try TestProject.bench()
        let browser = try Browser(bench)

        try bench.clock.advance(seconds: 300 + 3600)
        _ = try Browser(bench)
        #expect(try browser.status == "expired")
        try bench.clock.advance(seconds: 1)
        _ = try Browser(bench)

        #expect(try browser.access.status == .notFound)
    }
}
