import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What the console shows and does.
struct RecordTests {
    private func hanko(_ bench: TestBench<Hanko>) -> Hanko { Hanko(bench.world) }

    @Test func `users and what they have are records, the newest first`() throws {
        let bench = try TestBench.admin()
        _ = bench.admin(.post, "/sessions", "{\"user_id\": \"\(Grace.id)\"}")

        let records = try hanko(bench).records()
        #expect(records.map(\.kind) == ["session", "user", "user", "credential", "authenticator"])
        #expect(
            records.map(\.user) == [Grace.address, Grace.address, Ada.address, Ada.address, Ada.address])
        #expect(records.map(\.title) == ["Session", Grace.address, "Ada King", "Phone", "Authenticator app"])
        for record in records { #expect(try hanko(bench).record(record.id) == record) }
        #expect(try hanko(bench).record(Belongings.otherID) == nil)
    }

    @Test func `a session of somebody whose address is not confirmed names the address`() throws {
        let bench = try TestBench.admin()
        _ = try bench.post("/hanko/users", ["email": "new@example.com"])
        let user = try #require(try hanko(bench).records().first { $0.user == "new@example.com" })
        _ = bench.admin(.post, "/sessions", "{\"user_id\": \"\(user.id)\"}")
        #expect(try hanko(bench).records().first { $0.kind == "session" }?.user == "new@example.com")
    }

    @Test func `a flow under way is a record that tells where it stands, and can be forgotten`() throws {
        let bench = try TestBench.classic()
        var client = try FlowClient(bench, "/login")
        try client.run("register_client_capabilities", ["webauthn_available": false])

        let record = try #require(try hanko(bench).records().first { $0.kind == "flow" })
        #expect((record.title, record.state) == ("Login", "login_init"))
        let facts = Dictionary(uniqueKeysWithValues: record.facts.map { ($0.name, $0.value) })
        #expect(facts["Came by"] == "preflight" && facts["WebAuthn"] == "not available")
        #expect(!facts.values.contains(record.id), "the page shows it already")
        #expect(try hanko(bench).record(record.id) == record)

        try hanko(bench).perform("forget", onRecord: record.id, [:])
        try client.run("continue_with_login_identifier", ["email": .string(Ada.address)])
        #expect(client.status == 403 && client.error == "operation_not_permitted_error")
    }

    @Test func `a user's record tells addresses and what is set up`() throws {
        let record = try #require(try hanko(TestBench.admin()).record(Ada.id))

        let facts = Dictionary(uniqueKeysWithValues: record.facts.map { ($0.name, $0.value) })
        #expect(
            facts["Addresses"]
                == "\(Ada.address), primary, verified\nada@work.example.com, not verified")
        #expect(facts["Password"] == "set")
        #expect(facts["Passkeys"] == "Phone")
        #expect(facts["Identities"] == "google: 117")
        #expect(facts["Private metadata"] == "{\"n\":1}")
        #expect(record.state == "active, with second factor")
        #expect(record.actions.map(\.name) == ["verify", "delete"])
    }

    @Test func `an address can be verified`() throws {
        let bench = try TestBench.admin()

        try hanko(bench).perform("verify", onRecord: Ada.id, ["address": "ada@work.example.com"])
        let email = bench.admin(.get, "/users/\(Ada.id)/emails/\(Belongings.secondEmailID)").text
        #expect(email.contains("\"is_primary\":false,\"is_verified\":true"))
        #expect(try hanko(bench).record(Ada.id)?.actions.map(\.name) == ["delete"])
    }

    @Test func `the address that waits for its passcode can be verified, and is primary then`() throws {
        let bench = try TestBench.admin()
        let created = try bench.register("new@example.com")
        #expect(try hanko(bench).record(created.id)?.state == "unconfirmed")

        try hanko(bench).perform("verify", onRecord: created.id, ["address": "New@example.com"])
        #expect(try hanko(bench).record(created.id)?.state == "active")
        let found = try bench.post("/hanko/user", ["email": "new@example.com"])
        #expect(found.fields["id"] == created.id)
        #expect(
            bench.admin(.get, "/users/\(created.id)/emails").text.contains(
                "\"is_primary\":true,\"is_verified\":true"))
    }

    @Test func `sessions, credentials, apps and users can be removed`() throws {
        let bench = try TestBench.admin()
        let made = bench.admin(.post, "/sessions", "{\"user_id\": \"\(Ada.id)\"}")
        let token = try #require(made.fields["session_token"])
        let session = try #require(try hanko(bench).records().first { $0.kind == "session" })

        try hanko(bench).perform("revoke", onRecord: session.id, [:])
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .unauthorized)
        try hanko(bench).perform("delete", onRecord: Belongings.credentialID, [:])
        try hanko(bench).perform("delete", onRecord: Belongings.otpID, [:])
        #expect(try hanko(bench).records().map(\.kind) == ["user", "user"])
        try hanko(bench).perform("delete", onRecord: Ada.id, [:])
        #expect(try hanko(bench).records().map(\.id) == [Grace.id])
    }

    @Test(
        arguments: [
            (Belongings.otherID, "delete", [:], "no record"), (Ada.id, "revoke", [:], "no action “revoke”"),
            (Ada.id, "verify", [:], "“address” is missing"),
            (Ada.id, "verify", ["address": Grace.address], "no address"),
            (Grace.id, "verify", ["address": Grace.address], "no action “verify”"),
        ] as [(String, String, [String: String], String)])
    func `what cannot be done is refused`(
        id: String, action: String, inputs: [String: String], reason: String
    ) throws {
        let bench = try TestBench.admin()

        let refusal = #expect(throws: RecordRefusal.self) {
            try hanko(bench).perform(action, onRecord: id, inputs)
        }
        #expect(refusal?.explanation.contains(reason) == true)
    }

    @Test func `a user can be made, with a password`() throws {
        let bench = try TestBench.admin()
        #expect(try hanko(bench).newRecords().map(\.kind) == ["user"])

        let id = try hanko(bench).makeRecord(
            "user",
            ["address": "Linus@example.com", "username": "Linus", "password": "secret", "verified": "no"])
        let text = bench.admin(.get, "/users/\(id)").text
        #expect(
            text.contains("\"address\":\"linus@example.com\"") && text.contains("\"username\":\"linus\""))
        #expect(text.contains("\"is_primary\":true,\"is_verified\":false"))
        let password = try bench.world.database.read { try $0.password(of: id) }
        #expect(try password?.matches("secret") == true)
    }

    @Test(
        arguments: [
            ("user", [:], "“address” is missing"), ("device", ["address": "a@b.test"], "“device”"),
            ("user", ["address": "nowhere"], "not an email address"),
            ("user", ["address": "a@b.test", "verified": "maybe"], "yes or no"),
            ("user", ["username": "a b"], "underscores"), ("user", ["username": "ada"], Ada.id),
            ("user", ["address": Ada.address], Ada.id),
            ("user", ["username": "x", "password": String(repeating: "x", count: 73)], "73 bytes"),
        ] as [(String, [String: String], String)])
    func `a user that cannot be is not made`(kind: String, inputs: [String: String], reason: String) throws {
        let bench = try TestBench.admin()

        let error = #expect(throws: (any Error).self) { try hanko(bench).makeRecord(kind, inputs) }
        #expect((error as? any Refusal)?.explanation.contains(reason) == true)
        #expect(bench.admin(.get, "/users").headers["X-Total-Count"] == "2")
    }
}
