import Essentials
import HTTP
import Synchronization
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct FinishPasscodeTests {
    @Test func `the right code opens a session and uses the passcode up`() throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)

        let response = try bench.finishPasscode(id, code)
        #expect(response.status == .ok)
        #expect(response.text == "{\"created_at\":\"2026-01-02T03:04:05Z\",\"id\":\"\(id)\",\"ttl\":300}\n")
        #expect(bench.events.map(\.event) == ["passcode accepted", "session issued"])

        let again = try bench.finishPasscode(id, code)
        #expect(again.status == .unauthorized)
        #expect(again.text == refusal(401, "passcode not found"))
        #expect(again.sessionToken == nil)
    }

    @Test(arguments: [
        ("{}", "id is a required field and code is a required field"),
        ("{\"id\":\"none\",\"code\":\"123456\"}", "id must be a valid uuid4"),
        ("{\"id\":\"ADA00000-0000-4000-8000-0000000000FF\",\"code\":\"123456\"}", "id must be a valid uuid4"),
        ("{\"id\":\"ada00000-0000-4000-8000-0000000000ff\",\"code\":\"\"}", "code is a required field"),
    ])
    func `id and code are required`(body: String, message: String) throws {
        let response = try TestBench.classic().post("/hanko/passcode/login/finalize", raw: body)

        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, message))
    }

    @Test func `an unknown passcode is 401`() throws {
        let bench = try TestBench.classic()

        let response = try bench.finishPasscode("ada00000-0000-4000-8000-0000000000ff", "123456")
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "passcode not found"))
        #expect(bench.explanation?.contains("not the user's") == true)
    }

    @Test func `wrong codes are 401, 401, 410, and then the passcode is gone`() throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)
        let wrong = bench.wrong(code)

        for tries in ["2 tries left", "1 try left"] {
            let refused = try bench.finishPasscode(id, wrong)
            #expect(refused.status == .unauthorized)
            #expect(refused.text == refusal(401, "Unauthorized"))
            #expect(bench.explanation?.contains(tries) == true)
        }
        let third = try bench.finishPasscode(id, wrong)
        #expect(third.status == .gone)
        #expect(third.text == refusal(410, "max attempts reached"))
        #expect(bench.explanation?.contains("third wrong one") == true)
        let right = try bench.finishPasscode(id, code)
        #expect(right.status == .unauthorized)
        #expect(right.text == refusal(401, "passcode not found"))
    }

    @Test func `two wrong codes do not spoil the right one`() throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)

        _ = try bench.finishPasscode(id, bench.wrong(code))
        _ = try bench.finishPasscode(id, bench.wrong(code))
        #expect(try bench.finishPasscode(id, code).status == .ok)
    }

    @Test func `a passcode is good for its whole time and not a moment longer`() throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)

        try bench.clock.advance(seconds: 300.001)
        for _ in 1...4 {
            let late = try bench.finishPasscode(id, code)
            #expect(late.status == .requestTimeout)
            #expect(late.text == refusal(408, "passcode request timed out"))
        }
        #expect(bench.explanation?.contains("expired 0 s ago") == true)
        #expect(bench.explanation?.contains("2026-01-02T03:09:05.001Z") == true)

        try bench.clock.advance(seconds: -0.001)
        #expect(try bench.finishPasscode(id, code).status == .ok)
    }

    @Test func `the time of a passcode is configurable`() throws {
        let bench = try TestBench.classic(config: "\"email\": {\"passcode_ttl\": 10}")
        let response = try bench.post("/hanko/passcode/login/initialize", ["user_id": Ada.id])
        let started = try response.json(TestBench<Hanko>.Started.self)
        let code = try #require(try bench.messages.first?.message.code)

        #expect(started.ttl == 10)
        try bench.clock.advance(seconds: 11)
        #expect(try bench.finishPasscode(started.id, code).status == .requestTimeout)
    }

    @Test func `asking for another passcode leaves the first one valid`() throws {
        let bench = try TestBench.classic()
        let first = try bench.startPasscode(for: Ada.id)
        let second = try bench.startPasscode(for: Ada.id)

        #expect(try bench.finishPasscode(first.id, first.code).status == .ok)
        #expect(try bench.finishPasscode(second.id, second.code).status == .ok)
    }

    @Test func `a code of another mail is recognised`() throws {
        let bench = try TestBench.classic()
        let first = try bench.startPasscode(for: Ada.id)
        let second = try bench.startPasscode(for: Ada.id)
        try #require(first.code != second.code)

        #expect(try bench.finishPasscode(first.id, second.code).status == .unauthorized)
        #expect(bench.explanation?.contains("It is the code of the passcode \(second.id)") == true)
    }

    @Test(arguments: [
        ("12 34 56", "send “123456”"), ("42", "leading zeros count"), ("abcdef", "in the outbox"),
    ])
    func `the journal guesses what went wrong with a code`(code: String, guess: String) throws {
        let bench = try TestBench.classic()
        let (id, _) = try bench.startPasscode(for: Ada.id)

        #expect(try bench.finishPasscode(id, code).status == .unauthorized)
        #expect(bench.explanation?.contains(guess) == true)
    }

    // MARK: Confirming an address

    @Test func `the first passcode after registering confirms the address and makes it primary`() throws {
        let bench = try TestBench.classic()
        let created = try bench.register("new@example.com")
        let (id, code) = try bench.startPasscode(for: created.id)

        let token = try #require(try bench.finishPasscode(id, code).sessionToken)
        #expect(bench.events.map(\.event) == ["passcode accepted", "address verified", "session issued"])
        #expect(
            bench.get("/hanko/emails", headers: .bearer(token)).text == """
                [{"address":"new@example.com","id":"\(created.email_id)","is_primary":true,"is_verified":true}]

                """)
        #expect(
            try TokenReader(token).claims["email"]
                == ["address": "new@example.com", "is_primary": true, "is_verified": true])
    }

    @Test func `of two who registered an address the first to confirm has it, the other is 403`() throws {
        let bench = try TestBench.classic()
        let (slow, fast) = (try bench.register("new@example.com"), try bench.register("new@example.com"))
        let (slowID, slowCode) = try bench.startPasscode(for: slow.id)
        let (fastID, fastCode) = try bench.startPasscode(for: fast.id)
        #expect(try bench.finishPasscode(fastID, fastCode).status == .ok)

        for _ in 1...2 {
            let late = try bench.finishPasscode(slowID, slowCode)
            #expect(late.status == .forbidden)
            #expect(late.text == refusal(403, "email address has been claimed by another user"))
        }
        #expect(bench.explanation?.contains(fast.id) == true)
        let next = try bench.post("/hanko/passcode/login/initialize", ["user_id": slow.id])
        #expect(next.status == .forbidden)
    }

    @Test func `a passcode with a session of another user is 403 and survives`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Grace.id)
        let (id, code) = try bench.startPasscode(for: Ada.id)

        let refused = try bench.finishPasscode(id, code, headers: .bearer(token))
        #expect(refused.status == .forbidden)
        #expect(refused.text == refusal(403, "Forbidden"))
        #expect(bench.explanation?.contains(Grace.id) == true)
        #expect(try bench.finishPasscode(id, code).status == .ok)
    }

    @Test func `another address needs the user's session to be confirmed`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        let added = try bench.post(
            "/hanko/emails", ["address": "second@example.com"], headers: .bearer(token))
        let emailID = try #require(added.fields["id"])
        let (id, code) = try bench.startPasscode(for: Ada.id, emailID: emailID, headers: .bearer(token))

        let refused = try bench.finishPasscode(id, code)
        #expect(refused.status == .forbidden)
        #expect(refused.text == refusal(403, "Forbidden"))
        #expect(bench.explanation?.contains("second@example.com") == true)

        #expect(try bench.finishPasscode(id, code, headers: .bearer(token)).status == .ok)
        #expect(
            bench.get("/hanko/emails", headers: .bearer(token)).text == """
                [{"address":"ada@example.com","id":"\(Ada.emailID)","is_primary":true,"is_verified":true},\
                {"address":"second@example.com","id":"\(emailID)","is_primary":false,"is_verified":true}]

                """)
    }

    @Test func `signing in again with a session of one's own is fine`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        let (id, code) = try bench.startPasscode(for: Ada.id)

        #expect(try bench.finishPasscode(id, code, headers: .cookie(token)).status == .ok)
    }

    // MARK: Many at once

    @Test func `of many who bring the right code at once exactly one gets in`() async throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)

        let statuses = try await withThrowingTaskGroup(of: Int.self) { group in
            for _ in 1...32 { group.addTask { try bench.finishPasscode(id, code).status.code } }
            return try await group.reduce(into: [Int]()) { $0.append($1) }
        }
        #expect(statuses.filter { $0 == 200 }.count == 1)
        #expect(statuses.filter { $0 == 401 }.count == 31)
    }

    @Test func `of many who guess at once exactly three guesses are heard`() async throws {
        let bench = try TestBench.classic()
        let (id, code) = try bench.startPasscode(for: Ada.id)
        let wrong = bench.wrong(code)

        let statuses = try await withThrowingTaskGroup(of: Response.self) { group in
            for _ in 1...32 { group.addTask { try bench.finishPasscode(id, wrong) } }
            return try await group.reduce(into: [String]()) { $0.append($1.text) }
        }
        #expect(statuses.filter { $0 == refusal(401, "Unauthorized") }.count == 2)
        #expect(statuses.filter { $0 == refusal(410, "max attempts reached") }.count == 1)
        #expect(statuses.filter { $0 == refusal(401, "passcode not found") }.count == 29)
    }
}
