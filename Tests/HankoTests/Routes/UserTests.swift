import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

struct UserTests {
    // MARK: POST /user

    @Test(arguments: ["ada@example.com", "Ada@Example.com"])
    func `a user is found by address, whatever its case`(address: String) throws {
        let response = try TestBench.classic().post("/hanko/user", ["email": address])

        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(
            response.text == """
                {"email_id":"\(Ada.emailID)","has_webauthn_credential":false,"id":"\(Ada.id)","verified":true}

                """)
    }

    @Test func `an unknown address is 404`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post("/hanko/user", ["email": "nobody@example.com"])
        #expect(response.status == .notFound)
        #expect(response.text == refusal(404, "Not Found"))
        #expect(
            bench.explanation
                == "The address nobody@example.com is not registered; POST /users registers it.")
    }

    @Test func `a registered address is 404 until it is confirmed`() throws {
        let bench = try TestBench.classic()
        let created = try bench.register("new@example.com")

        let before = try bench.post("/hanko/user", ["email": "new@example.com"])
        #expect(before.status == .notFound)
        #expect(before.text == refusal(404, "Not Found"))
        #expect(bench.explanation?.contains("never confirmed") == true)

        let (id, code) = try bench.startPasscode(for: created.id)
        _ = try bench.finishPasscode(id, code)
        let after = try bench.post("/hanko/user", ["email": "new@example.com"])
        #expect(
            after.text == """
                {"email_id":"\(created.email_id)","has_webauthn_credential":false,"id":"\(created.id)","verified":true}

                """)
    }

    // MARK: POST /users

    @Test func `a new user has one id under two names, and the address waits`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post("/hanko/users", ["email": "New@Example.com"])
        #expect(response.status == .ok)
        let created = try response.json(TestBench<Hanko>.Created.self)
        #expect(created.id == created.user_id)
        #expect(UUIDText.isVersion4(created.id) && UUIDText.isVersion4(created.email_id))
        #expect(response.headers["X-Auth-Token"] == nil)
        #expect(response.headers["X-Session-Lifetime"] == nil)
        #expect(
            response.headers.values(of: "Set-Cookie") == [
                "hanko_email_id=\(created.email_id); HttpOnly; Secure; SameSite=None"
            ])
        #expect(bench.events.map(\.event) == ["user created"])
        #expect(bench.events.first?.subject == "new@example.com")
    }

    @Test func `registering again gives another user and the same address`() throws {
        let bench = try TestBench.classic()

        let first = try bench.register("new@example.com")
        let second = try bench.register("new@example.com")
        #expect(first.id != second.id)
        #expect(first.email_id == second.email_id)
    }

    @Test func `registering an address of a user is a conflict`() throws {
        let bench = try TestBench.classic()

        let response = try bench.post("/hanko/users", ["email": "ADA@example.com"])
        #expect(response.status == .conflict)
        #expect(response.text == refusal(409, "Conflict"))
        #expect(bench.explanation?.contains(Ada.id) == true)
    }

    @Test func `sign-up that is off is refused before the body is read`() throws {
        let bench = try TestBench.classic(config: "\"account\": {\"allow_signup\": false}")

        let response = try bench.post("/hanko/users", ["email": "no address"])
        #expect(response.status == .forbidden)
        #expect(response.text == refusal(403, "Forbidden"))
        #expect(bench.explanation?.contains("allow_signup") == true)
    }

    @Test func `without verification the address is the user's at once, and the session works`() throws {
        let bench = try TestBench.mobile(config: "\"email\": {\"require_verification\": false}")

        let response = try bench.post("/hanko/users", ["email": "new@example.com"])
        #expect(response.status == .ok)
        #expect(response.headers["X-Session-Lifetime"] == "43200")
        let created = try response.json(TestBench<Hanko>.Created.self)
        let token = try #require(response.headers["X-Auth-Token"])
        let emails = bench.get("/hanko/emails", headers: .bearer(token))
        #expect(
            emails.text == """
                [{"address":"new@example.com","id":"\(created.email_id)","is_primary":true,"is_verified":false}]

                """)
    }

    @Test func `without verification a waiting address is taken over by the next who registers it`() throws {
        let bench = try TestBench.classic(
            config: "\"email\": {\"require_verification\": false}",
            section: "\"emails\": [{\"address\": \"waiting@example.com\"}]")

        let created = try bench.register("waiting@example.com")
        #expect(
            try bench.post("/hanko/user", ["email": "waiting@example.com"]).fields["id"] == created.id)
    }

    // MARK: GET /me, GET /users/{id}

    @Test func `me is the profile`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = bench.get("/hanko/me", headers: .bearer(token))
        #expect(response.status == .ok)
        #expect(
            response.text == """
                {"created_at":"2026-01-01T00:00:00Z",\
                "emails":[{"address":"ada@example.com","id":"\(Ada.emailID)","is_primary":true,"is_verified":true}],\
                "id":"\(Ada.id)",\
                "mfa_config":{"auth_app_set_up":false,"security_keys_enabled":false,"totp_enabled":false},\
                "updated_at":"2026-01-01T00:00:00Z","user_id":"\(Ada.id)"}

                """)
    }

    private let named = """
        "users": [{
            "id": "ada00000-0000-4000-8000-000000000009", "username": "countess", "name": "Ada Lovelace",
            "given_name": "Ada", "family_name": "Lovelace", "picture": "https://example.test/ada.png",
            "created_at": "2026-01-01T10:20:30.120Z", "updated_at": "2026-01-01T10:20:30Z",
            "emails": [{"id": "ada00000-0000-4000-8000-0000000000e9", "address": "named@example.com"}],
        }]
        """

    private func namedBench() throws -> TestBench<Hanko> {
        try TestBench<Hanko>(
            Hanko.self, fixtures: "{\"hanko\": {\"config\": {\"mfa\": {\"enabled\": false}}, \(named)}}")
    }

    @Test func `names and username are shown, times without trailing zeros`() throws {
        let bench = try namedBench()
        let token = try bench.signIn("ada00000-0000-4000-8000-000000000009")

        guard case .object(let me) = try bench.get("/hanko/me", headers: .bearer(token)).value() else {
            Issue.record("no object")
            return
        }
        #expect(me["name"] == "Ada Lovelace")
        #expect(me["given_name"] == "Ada")
        #expect(me["family_name"] == "Lovelace")
        #expect(me["picture"] == "https://example.test/ada.png")
        #expect(me["created_at"] == "2026-01-01T10:20:30.12Z")
        #expect(me["updated_at"] == "2026-01-01T10:20:30Z")
        guard case .object(let username)? = me["username"], case .string(let id)? = username["id"] else {
            Issue.record("no username object")
            return
        }
        #expect(Set(username.keys) == ["id", "username", "created_at", "updated_at"])
        #expect(username["username"] == "countess")
        #expect(UUIDText.isVersion4(id))
    }

    @Test func `users by id show the plain username and the primary address`() throws {
        let bench = try namedBench()
        let id = "ada00000-0000-4000-8000-000000000009"
        let token = try bench.signIn(id)

        let response = bench.get("/hanko/users/\(id)", headers: .bearer(token))
        #expect(response.status == .ok)
        guard case .object(let user) = try response.value() else {
            Issue.record("no object")
            return
        }
        #expect(
            Set(user.keys) == [
                "id", "user_id", "email", "username", "webauthn_credentials", "created_at", "updated_at",
                "emails",
                "mfa_config", "name", "given_name", "family_name", "picture",
            ])
        #expect(user["username"] == "countess")
        #expect(user["email"] == "named@example.com")
        #expect(user["webauthn_credentials"] == [])
    }

    @Test func `nobody sees another user`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        for id in [Grace.id, Ada.id.uppercased(), "none"] {
            let response = bench.get("/hanko/users/\(id)", headers: .bearer(token))
            #expect(response.status == .forbidden)
            #expect(response.text == refusal(403, "Forbidden"))
        }
        _ = bench.get("/hanko/users/\(Ada.id.uppercased())", headers: .bearer(token))
        #expect(bench.explanation?.contains("upper case") == true)
    }

    @Test(arguments: [
        (Request.Method.get, "/hanko/me"), (.get, "/hanko/users/\(Ada.id)"), (.get, "/hanko/emails"),
        (.post, "/hanko/emails"), (.post, "/hanko/emails/\(Ada.emailID)/set_primary"),
        (.delete, "/hanko/emails/\(Ada.emailID)"), (.post, "/hanko/logout"),
    ])
    func `what needs a session is 401 without one`(method: Request.Method, path: String) throws {
        let bench = try TestBench.classic()

        let response = bench.send(method, path)
        #expect(response.status == .unauthorized)
        #expect(response.text == refusal(401, "Unauthorized"))
        #expect(response.headers["Set-Cookie"] == nil)
        #expect(bench.explanation?.contains("no session") == true)
    }

    @Test func `a user who is gone is 404`() throws {
        let response = try Hanko.response(for: HankoRefusal.userGone(Ada.id))

        #expect(response.status == .notFound)
        #expect(response.text == refusal(404, "Not Found"))
    }

    // MARK: DELETE /user

    @Test func `deleting oneself does not exist unless it is allowed`() throws {
        let bench = try TestBench.classic()
        let token = try bench.signIn(Ada.id)

        let response = bench.delete("/hanko/user", headers: .bearer(token))
        #expect(response.status == .methodNotAllowed)
        #expect(response.text == refusal(405, "Method Not Allowed"))
        #expect(bench.explanation?.contains("allow_deletion") == true)
    }

    @Test func `deleting oneself takes everything along`() throws {
        let bench = try TestBench.classic(config: "\"account\": {\"allow_deletion\": true}")
        #expect(bench.delete("/hanko/user").status == .unauthorized)
        let token = try bench.signIn(Ada.id)
        let (passcode, code) = try bench.startPasscode(for: Ada.id)

        let response = bench.delete("/hanko/user", headers: .bearer(token))
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        #expect(
            response.headers["Set-Cookie"] == "hanko=; Path=/; Max-Age=0; HttpOnly; Secure; SameSite=Strict")
        #expect(bench.events.map(\.event) == ["user deleted"])

        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .unauthorized)
        #expect(try bench.post("/hanko/user", ["email": Ada.address]).status == .notFound)
        #expect(try bench.finishPasscode(passcode, code).status == .unauthorized)
        #expect(try bench.post("/hanko/users", ["email": Ada.address]).status == .ok)
    }
}
