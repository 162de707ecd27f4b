import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct EmailTests {
    /// Adds a confirmed address to the user of `token`; its id.
    private func addConfirmed(_ address: String, _ token: String, on bench: TestBench<Hanko>) throws -> String
    {
        try bench.clock.advance(seconds: 60)
        let added = try bench.post("/hanko/emails", ["address": address], headers: .bearer(token))
        let emailID = try #require(added.fields["id"])
        let (id, code) = try bench.startPasscode(for: Ada.id, emailID: emailID)
        #expect(try bench.finishPasscode(id, code, headers: .bearer(token)).status == .ok)
        return emailID
    }

    @Test func `addresses are listed`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = bench.get("/hanko/emails", headers: .bearer(token))
        #expect(response.status == .ok)
        #expect(
            response.text == """
                [{"address":"ada@example.com","id":"\(Ada.emailID)","is_primary":true,"is_verified":true}]

                """)
    }

    @Test func `a new address is nobody's at first`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = try bench.post(
            "/hanko/emails", ["address": "Second@Example.com"], headers: .bearer(token))
        #expect(response.status == .ok)
        let id = try #require(response.fields["id"])
        #expect(
            response.text == """
                {"address":"second@example.com","created_at":"2026-01-02T03:05:05Z","id":"\(id)",\
                "updated_at":"2026-01-02T03:05:05Z","verified":false}

                """)
        #expect(bench.events.map(\.event) == ["address added"])
        let again = try bench.post(
            "/hanko/emails", ["address": "second@example.com"], headers: .bearer(token))
        #expect(again.fields["id"] == id)
        #expect(bench.get("/hanko/emails", headers: .bearer(token)).text.contains("second") == false)
    }

    @Test func `without verification a new address is the user's at once, not primary`() throws {
        let bench = try TestBench.classic(config: "\"email\": {\"require_verification\": false}")
        let token = try bench.signIn(Ada.id)

        let response = try bench.post(
            "/hanko/emails", ["address": "second@example.com"], headers: .bearer(token))
        #expect(response.fields["user_id"] == Ada.id)
        let list = bench.get("/hanko/emails", headers: .bearer(token)).text
        #expect(list.contains("\"address\":\"second@example.com\""))
        #expect(list.contains("\"is_primary\":false,\"is_verified\":false"))
    }

    @Test func `the form of a new address is not checked, but it must not be empty`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        #expect(
            try bench.post("/hanko/emails", ["address": "no address"], headers: .bearer(token)).status == .ok)
        let empty = try bench.post("/hanko/emails", [String: String](), headers: .bearer(token))
        #expect(empty.status == .badRequest)
        #expect(empty.text == refusal(400, "address is a required field"))
    }

    @Test(arguments: [(Ada.address, "signed-in user"), (Grace.address, "another user")])
    func `an address that is somebody's is 400`(address: String, whose: String) throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = try bench.post("/hanko/emails", ["address": address], headers: .bearer(token))
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "Bad Request"))
        #expect(bench.explanation?.contains(whose) == true)
    }

    @Test func `the limit is 409, before the address is looked at`() throws {
        let bench = try TestBench.classic(config: "\"email\": {\"limit\": 1}")
        let token = try bench.signIn(Ada.id)

        let response = try bench.post("/hanko/emails", ["address": Grace.address], headers: .bearer(token))
        #expect(response.status == .conflict)
        #expect(response.text == refusal(409, "Conflict"))
        #expect(bench.explanation?.contains("email.limit") == true)
    }

    @Test func `another address can be made primary, and passcodes go there`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        let second = try addConfirmed("second@example.com", token, on: bench)

        let response = bench.send(.post, "/hanko/emails/\(second)/set_primary", headers: .bearer(token))
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        #expect(
            bench.get("/hanko/emails", headers: .bearer(token)).text == """
                [{"address":"ada@example.com","id":"\(Ada.emailID)","is_primary":false,"is_verified":true},\
                {"address":"second@example.com","id":"\(second)","is_primary":true,"is_verified":true}]

                """)
        let (id, code) = try bench.startPasscode(for: Ada.id)
        #expect(try bench.messages.first?.message.to.address == "second@example.com")
        let next = try #require(try bench.finishPasscode(id, code).sessionToken)
        #expect(
            try TokenReader(next).claims["email"]
                == ["address": "second@example.com", "is_primary": true, "is_verified": true])
    }

    @Test func `making the primary address primary changes nothing`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = bench.send(.post, "/hanko/emails/\(Ada.emailID)/set_primary", headers: .bearer(token))
        #expect(response.status == .noContent)
    }

    @Test func `only an address of one's own can be made primary or removed`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        for id in [Grace.emailID, "ada00000-0000-4000-8000-0000000000ff"] {
            let primary = bench.send(.post, "/hanko/emails/\(id)/set_primary", headers: .bearer(token))
            #expect(primary.status == .notFound)
            #expect(primary.text == refusal(404, "Not Found"))
            let removed = bench.delete("/hanko/emails/\(id)", headers: .bearer(token))
            #expect(removed.status == .notFound)
            #expect(removed.text == refusal(404, "Not Found"))
        }
    }

    @Test func `an id that is no UUID is 400`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let primary = bench.send(.post, "/hanko/emails/none/set_primary", headers: .bearer(token))
        #expect(primary.status == .badRequest)
        #expect(primary.text == refusal(400, "Bad Request"))
        #expect(bench.delete("/hanko/emails/none", headers: .bearer(token)).status == .badRequest)
    }

    @Test func `an address can be removed unless it is the primary one`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)
        let second = try addConfirmed("second@example.com", token, on: bench)

        let primary = bench.delete("/hanko/emails/\(Ada.emailID)", headers: .bearer(token))
        #expect(primary.status == .conflict)
        #expect(primary.text == refusal(409, "Conflict"))
        #expect(bench.explanation?.contains("primary") == true)
        let removed = bench.delete("/hanko/emails/\(second)", headers: .bearer(token))
        #expect(removed.status == .noContent)
        #expect(removed.bytes.isEmpty)
        #expect(bench.get("/hanko/emails", headers: .bearer(token)).text.contains("second") == false)
    }
}
