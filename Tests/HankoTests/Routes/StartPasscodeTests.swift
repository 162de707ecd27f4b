import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct StartPasscodeTests {
    private let path = "/hanko/passcode/login/initialize"

    @Test func `a passcode is mailed to the primary address`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post(path, ["user_id": Ada.id])
        #expect(response.status == .ok)
        let started = try response.json(TestBench<Hanko>.Started.self)
        #expect(
            response.text
                == "{\"created_at\":\"2026-01-02T03:04:05Z\",\"id\":\"\(started.id)\",\"ttl\":300}\n")
        #expect(UUIDText.isVersion4(started.id))
        let mail = try #require(try bench.messages.first?.message)
        #expect(mail.to.address == Ada.address)
        #expect(mail.code?.count == 6 && mail.code?.allSatisfy(\.isNumber) == true)
        #expect(bench.events.map(\.event) == ["passcode sent"])
        #expect(bench.events.first?.explanation?.contains(mail.code ?? "?") == true)
    }

    @Test func `times have a fraction without trailing zeros`() throws {
        let bench = try TestBench.classic()
        bench.time.advance(seconds: 0.25)

        let response = try bench.post(path, ["user_id": Ada.id])
        #expect(try response.json(TestBench<Hanko>.Started.self).created_at == "2026-01-02T03:04:05.25Z")
    }

    @Test(arguments: [
        ("{}", "user_id is a required field"), ("{\"user_id\":null}", "user_id is a required field"),
        ("{\"user_id\":\"\"}", "user_id is a required field"),
        ("{\"user_id\":\"ada\"}", "user_id must be a valid uuid4"),
        ("{\"user_id\":\"ada00000-0000-1000-8000-000000000001\"}", "user_id must be a valid uuid4"),
    ])
    func `the user id is required and a UUID`(body: String, message: String) throws {
        let response = try TestBench.classic().post(path, raw: body)

        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
    }

    @Test func `an unknown user is 400 and takes no token`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post(path, ["user_id": "ada00000-0000-4000-8000-00000000000f"])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(response.headers["X-RateLimit-Limit"] == nil)
        #expect(bench.explanation?.contains("There is no user") == true)
    }

    @Test func `an address is chosen by its id, in any case`() throws {
        let bench = try TestBench.classic()

        let (_, _) = try bench.startPasscode(for: Ada.id, emailID: Ada.emailID.uppercased())
        #expect(try bench.messages.first?.message.to.address == Ada.address)
    }

    @Test func `an address id that is no UUID is 400, after a token was taken`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post(path, ["user_id": Ada.id, "email_id": "none"])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "failed to parse emailId as uuid"))
        #expect(response.headers["X-RateLimit-Remaining"] == "2")
        #expect(bench.explanation?.contains("email_id") == true)
    }

    @Test func `an unknown address id is 400`() throws {
        let response = try TestBench.classic().post(
            path, ["user_id": Ada.id, "email_id": "ada00000-0000-4000-8000-0000000000ff"])

        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "the specified emailId is not available"))
    }

    @Test func `an address of another user is 403`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post(path, ["user_id": Ada.id, "email_id": Grace.emailID])
        #expect(response.status == .forbidden)
        #expect(response.text == refusal(403, "Forbidden"))
        #expect(response.headers["X-RateLimit-Remaining"] == "2")
        #expect(bench.explanation?.contains("another user") == true)
        #expect(try bench.messages.isEmpty)
    }

    @Test(arguments: [true, false])
    func `a session of another user is 403, from header or cookie`(isHeader: Bool) throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Grace.id)

        let response = try bench.post(
            path, ["user_id": Ada.id], headers: isHeader ? .bearer(token) : .cookie(token))
        #expect(response.status == .forbidden)
        #expect(response.text == refusal(403, "Forbidden"))
        #expect(bench.explanation?.contains(Grace.id) == true)
    }

    @Test func `the cookie counts before the header, a bad one is passed over`() throws {
        let bench = try TestBench.classic()
        let (ada, grace) = (try bench.signIn(Ada.id), try bench.signIn(Grace.id))

        let both = try bench.post(
            path, ["user_id": Ada.id],
            headers: ["Cookie": "hanko=\(ada)", "Authorization": "Bearer \(grace)"])
        #expect(both.status == .ok)
        let bad = try bench.post(
            path, ["user_id": Ada.id], headers: ["Cookie": "hanko=none", "Authorization": "Bearer \(grace)"])
        #expect(bad.status == .forbidden)
    }

    @Test func `a session that is signed out still counts here, an expired one does not`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Grace.id)
        _ = bench.send(.post, "/hanko/logout", headers: .bearer(token))

        #expect(try bench.post(path, ["user_id": Ada.id], headers: .bearer(token)).status == .forbidden)
        try bench.clock.advance(seconds: 43_200)
        #expect(try bench.post(path, ["user_id": Ada.id], headers: .bearer(token)).status == .ok)
    }

    // MARK: A user who has not confirmed an address

    @Test func `a new user gets the passcode at the registered address, which the journal tells`() throws {
        let bench = try TestBench.classic()
        let created = try bench.register("new@example.com")

        _ = try bench.startPasscode(for: created.id)
        #expect(try bench.messages.first?.message.to.address == "new@example.com")
        #expect(bench.events.map(\.event) == ["address assumed", "passcode sent"])
    }

    @Test func `strictly, only the cookie of the registration tells the address`() throws {
        let bench = try TestBench.classic(section: "\"strict_pending_address\": true")
        let created = try bench.register("new@example.com")

        let without = try bench.post(path, ["user_id": created.id])
        #expect(without.status == .internalServerError)
        #expect(without.text == refusal(500, "Internal Server Error"))
        #expect(without.headers["X-RateLimit-Remaining"] == "2")
        #expect(bench.explanation?.contains("strict_pending_address") == true)
        #expect(bench.reports.lines.isEmpty)

        let with = try bench.post(
            path, ["user_id": created.id], headers: ["Cookie": "hanko_email_id=\(created.email_id)"])
        #expect(with.status == .ok)
        #expect(try bench.messages.first?.message.to.address == "new@example.com")
    }

    @Test func `an empty cookie is 400`() throws {
        let bench = try TestBench.classic()
        let created = try bench.register("new@example.com")

        let response = try bench.post(
            path, ["user_id": created.id], headers: ["Cookie": "hanko_email_id="])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "an emailId needs to be specified"))
    }

    @Test(arguments: [
        ("none", "failed to parse emailId as uuid"),
        ("ada00000-0000-4000-8000-0000000000ff", "the specified emailId is not available"),
    ])
    func `a cookie that names no address is 400`(cookie: String, message: String) throws {
        let bench = try TestBench.classic()
        let created = try bench.register("new@example.com")

        let response = try bench.post(
            path, ["user_id": created.id], headers: ["Cookie": "hanko_email_id=\(cookie)"])
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
        #expect(bench.explanation?.contains("cookie hanko_email_id") == true)
    }

    @Test func `the primary address counts before the cookie`() throws {
        let bench = try TestBench.classic()

        _ = try bench.startPasscode(for: Ada.id, headers: ["Cookie": "hanko_email_id=\(Grace.emailID)"])
        #expect(try bench.messages.first?.message.to.address == Ada.address)
    }

    @Test func `a user without any address cannot be written to`() throws {
        let bench = try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {"config": {"mfa": {"enabled": false}}, "users": [{"id": "\(Ada.id)"}]}}
                """)

        let response = try bench.post(path, ["user_id": Ada.id])
        #expect(response.status == .internalServerError)
        #expect(response.text == refusal(500, "Internal Server Error"))
        #expect(bench.explanation?.contains("no primary address") == true)
    }
}
