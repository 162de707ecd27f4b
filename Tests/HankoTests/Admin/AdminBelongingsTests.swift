import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What users have, over the admin API. Source: Hanko 2.7, admin API.
struct AdminBelongingsTests {
    private static let path = "/users/\(Ada.id)"
    private static let time = "2026-01-01T00:00:00Z"
    private static let now = "2026-01-02T03:04:05Z"

    // MARK: Metadata

    @Test(arguments: [
        (
            "{}",
            #"{"private_metadata":{"n":1},"public_metadata":{"role":"admin"},"unsafe_metadata":{"color":"red"}}"#
        ),
        (
            #"{"public_metadata": {}, "other": 7}"#,
            #"{"private_metadata":{"n":1},"public_metadata":{"role":"admin"},"unsafe_metadata":{"color":"red"}}"#
        ),
        (
            #"{"public_metadata": {"role": null, "Deep": {"a": null, "b": 1}}, "Private_Metadata": null}"#,
            #"{"public_metadata":{"Deep":{"b":1}},"unsafe_metadata":{"color":"red"}}"#
        ),
        (
            #"{"unsafe_metadata": {"color": null}}"#,
            #"{"private_metadata":{"n":1},"public_metadata":{"role":"admin"}}"#
        ),
    ])
    func `metadata is merged`(patch: String, result: String) throws {
        let bench = try TestBench.admin()

        let response = bench.admin(.patch, Self.path + "/metadata", patch)
        #expect(response.status == .ok)
        #expect(response.text == result + "\n")
        #expect(bench.admin(.get, Self.path + "/metadata").text == result + "\n")
    }

    @Test(arguments: [
        "null", #"{"public_metadata": null, "private_metadata": null, "unsafe_metadata": null}"#,
        #"{"public_metadata": {"role": null}, "private_metadata": {"n": null}, "unsafe_metadata": null}"#,
    ])
    func `when nothing is left there is no content`(patch: String) throws {
        let bench = try TestBench.admin()

        let response = bench.admin(.patch, Self.path + "/metadata", patch)
        #expect(response.status == .noContent)
        #expect(response.text == "")
        #expect(bench.admin(.get, Self.path + "/metadata").status == .noContent)
    }

    @Test func `three thousand characters are just right`() throws {
        // {"x":"…"} has eight characters around the text.
        let value = String(repeating: "x", count: 2992)

        let response = try TestBench.admin().admin(
            .patch, "/users/\(Grace.id)/metadata", "{\"public_metadata\": {\"x\": \"\(value)\"}}")
        #expect(response.status == .ok)
    }

    // MARK: Addresses

    @Test func `addresses are listed, shown, added, chosen and removed`() throws {
        let bench = try TestBench.admin()
        let second = """
            {"address":"ada@work.example.com","created_at":"\(Self.time)","id":"\(Belongings.secondEmailID)",\
            "is_primary":false,"is_verified":false,"updated_at":"\(Self.time)"}
            """
        let path = Self.path + "/emails"

        #expect(bench.admin(.get, path + "/\(Belongings.secondEmailID)").text == second + "\n")
        #expect(bench.admin(.get, path).text.hasSuffix("," + second + "]\n"))
        let added = bench.admin(.post, path, "{\"address\": \"Third@Example.com\", \"is_verified\": true}")
        #expect(added.status == .created)
        let id = try #require(added.fields["id"])
        #expect(
            added.text == """
                {"address":"third@example.com","created_at":"\(Self.now)","id":"\(id)",\
                "is_primary":false,"is_verified":true,"updated_at":"\(Self.now)"}

                """)
        #expect(bench.admin(.post, path + "/\(id)/set_primary").status == .noContent)
        #expect(bench.admin(.delete, path + "/\(Ada.emailID)").status == .noContent)
        #expect(bench.admin(.get, path + "/\(Ada.emailID)").status == .notFound)
        #expect(bench.admin(.get, path + "/\(id)").fields["address"] == "third@example.com")
    }

    @Test func `an unknown user has no addresses`() throws {
        let response = try TestBench.admin().admin(.get, "/users/\(Belongings.otherID)/emails")

        #expect(response.status == .ok)
        #expect(response.text == "[]\n")
    }

    @Test func `the first address becomes primary`() throws {
        let bench = try TestBench.admin()
        let made = bench.admin(.post, "/users", "{\"username\": \"linus\"}")
        let id = try #require(made.fields["id"])

        let added = bench.admin(.post, "/users/\(id)/emails", "{\"address\": \"l@example.com\"}")
        #expect(added.text.contains("\"is_primary\":true,\"is_verified\":false"))
    }

    // MARK: Credentials, password, authenticator app

    @Test func `credentials are listed, shown and removed`() throws {
        let bench = try TestBench.admin()
        let path = Self.path + "/webauthn_credentials"
        let credential = """
            {"aaguid":"00000000-0000-0000-0000-000000000000","attestation_type":"none","backup_eligible":false,\
            "backup_state":false,"created_at":"\(Self.time)","id":"AQIDBA","mfa_only":false,"name":"Phone",\
            "public_key":"\(Belongings.publicKey)","transports":["internal"]}
            """

        #expect(bench.admin(.get, path).text == "[\(credential)]\n")
        #expect(bench.admin(.get, path + "/AQIDBA").text == credential + "\n")
        #expect(bench.admin(.delete, path + "/AQIDBA").status == .noContent)
        #expect(bench.admin(.get, path).text == "[]\n")
    }

    @Test func `a password is shown, changed, removed and set`() throws {
        let bench = try TestBench.admin()
        let path = Self.path + "/password"

        #expect(
            bench.admin(.get, path).text
                == "{\"created_at\":\"\(Self.time)\",\"id\":\"\(Belongings.passwordID)\",\"updated_at\":\"\(Self.time)\"}\n"
        )
        let changed = bench.admin(.put, path, "{\"password\": \"x\"}")
        #expect(changed.status == .ok)
        #expect(
            changed.text
                == "{\"created_at\":\"\(Self.time)\",\"id\":\"\(Belongings.passwordID)\",\"updated_at\":\"\(Self.now)\"}\n"
        )
        #expect(bench.admin(.delete, path).status == .noContent)
        let set = bench.admin(.post, path, "{\"password\": \"new\"}")
        #expect(set.status == .ok)
        #expect(set.fields["created_at"] == Self.now)
        let stored = try bench.world.database.read { try $0.password(of: Ada.id) }
        #expect(try stored?.matches("new") == true)
        #expect(try stored?.matches("x") == false)
    }

    @Test func `an authenticator app is shown without its secret, and removed`() throws {
        let bench = try TestBench.admin()
        let path = Self.path + "/otp"

        #expect(
            bench.admin(.get, path).text
                == "{\"created_at\":\"\(Self.time)\",\"id\":\"\(Belongings.otpID)\"}\n")
        #expect(bench.admin(.delete, path).status == .noContent)
        #expect(bench.admin(.get, path).status == .notFound)
    }

    // MARK: Sessions

    @Test func `a session made here is stored and good, and tells the username`() throws {
        let bench = try TestBench.admin()
        // Its times are those of its token, which has no fractions; its use has.
        try bench.clock.advance(seconds: 0.25)

        let made = bench.admin(
            .post, "/sessions",
            "{\"user_id\": \"\(Ada.id)\", \"ip_address\": \"192.0.2.7\", \"user_agent\": \"test/1\"}")
        #expect(made.status == .ok)
        #expect(Set(made.fields.keys) == ["session_token"])
        let token = try #require(made.fields["session_token"])
        #expect(bench.get("/hanko/me", headers: .bearer(token)).fields["id"] == Ada.id)
        let claims = try TokenReader(token).claims
        #expect(claims["username"] == "ada")
        guard case .string(let id)? = claims["session_id"] else { throw HookMissing() }
        let listed = bench.admin(.get, Self.path + "/sessions")
        #expect(
            listed.text == """
                [{"created_at":"\(Self.now)","expires_at":"2026-01-02T15:04:05Z","id":"\(id)",\
                "ip_address":"192.0.2.7","last_used":"2026-01-02T03:04:05.25Z","updated_at":"\(Self.now)",\
                "user_agent":"test/1","user_id":"\(Ada.id)"}]

                """)
    }

    @Test func `sessions are listed from the newest, without those that ended, and can be ended`() throws {
        let bench = try TestBench.admin()
        func open() throws -> (token: String, id: JSONValue?) {
            let made = bench.admin(.post, "/sessions", "{\"user_id\": \"\(Grace.id)\"}")
            let token = try #require(made.fields["session_token"])
            return (token, try TokenReader(token).claims["session_id"])
        }
        func listed() throws -> [JSONValue] {
            guard
                case .array(let rows) = try bench.admin(.get, "/users/\(Grace.id)/sessions").value()
            else { throw HookMissing() }
            return rows.map { if case .object(let row) = $0 { row["id"] ?? nil } else { nil } }
        }
        _ = try open()
        try bench.clock.advance(seconds: 40_000)
        let (token, second) = try open()
        try bench.clock.advance(seconds: 10_000)
        let (_, third) = try open()

        #expect(try listed() == [third, second])
        guard case .string(let id)? = second else { throw HookMissing() }
        #expect(bench.admin(.delete, "/users/\(Ada.id)/sessions/\(id)").status == .notFound)
        #expect(bench.admin(.delete, "/users/\(Grace.id)/sessions/\(id)").status == .noContent)
        #expect(try listed() == [third])
        #expect(bench.get("/hanko/me", headers: .bearer(token)).status == .unauthorized)
    }

    @Test func `what a session does not know of its client is null`() throws {
        let bench = try TestBench.admin()
        _ = bench.admin(.post, "/sessions", "{\"user_id\": \"\(Grace.id)\", \"ip_address\": \"\"}")

        let listed = bench.admin(.get, "/users/\(Grace.id)/sessions").text
        #expect(listed.contains("\"ip_address\":null") && listed.contains("\"user_agent\":null"))
    }

    // MARK: Webhooks

    @Test func `webhooks are made, listed, shown, changed and removed`() throws {
        let bench = try TestBench.admin(
            config:
                "\"webhooks\": {\"hooks\": [{\"callback\": \"http://own.test/\", \"events\": [\"user\"]}]}")
        let config = "{\"callback\":\"http://own.test/\",\"events\":[\"user\"]}"
        #expect(bench.admin(.get, "/webhooks").text == "{\"config\":[\(config)],\"database\":[]}\n")

        let made = bench.admin(
            .post, "/webhooks",
            "{\"callback\": \"https://a.test/hook\", \"events\": [\"user.create\", \"user.create\", \"email.send\"]}"
        )
        #expect(made.status == .created)
        guard case .object(var hook) = try made.value(),
            case .string(let id)? = hook.removeValue(forKey: "id"),
            case .array(let events)? = hook.removeValue(forKey: "events")
        else { throw HookMissing() }
        #expect(
            hook == [
                "callback": "https://a.test/hook", "enabled": true, "failures": 0,
                "expires_at": "2026-02-01T03:04:05Z", "created_at": .string(Self.now),
                "updated_at": .string(Self.now),
            ])
        let names = events.map {
            if case .object(let event) = $0 { event["event"] ?? nil } else { nil } as JSONValue
        }
        #expect(names == ["user.create", "email.send"])
        #expect(bench.admin(.get, "/webhooks/\(id)").text == made.text)
        #expect(
            bench.admin(.get, "/webhooks").text
                == "{\"config\":[\(config)],\"database\":[\(made.text.dropLast())]}\n")

        try bench.clock.advance(seconds: 60)
        let changed = bench.admin(
            .put, "/webhooks/\(id)",
            "{\"callback\": \"https://b.test/\", \"events\": [\"user\"], \"enabled\": true}")
        #expect(changed.status == .ok)
        #expect(changed.fields["callback"] == "https://b.test/")
        #expect(changed.fields["expires_at"] == "2026-02-01T03:05:05Z")
        #expect(bench.admin(.delete, "/webhooks/\(id)").status == .noContent)
        #expect(bench.admin(.get, "/webhooks/\(id)").status == .notFound)
    }

    // MARK: Status

    @Test func `figures are told as Prometheus reads them`() throws {
        let bench = try TestBench.admin()
        _ = bench.admin(.post, "/sessions", "{\"user_id\": \"\(Ada.id)\"}")
        _ = try bench.register("new@example.com")
        _ = try bench.startPasscode(for: Ada.id)

        let response = bench.admin(.get, "/metrics")
        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "text/plain; version=0.0.4; charset=utf-8")
        #expect(
            response.text.hasPrefix("# HELP hanko_users Users.\n# TYPE hanko_users gauge\nhanko_users 3\n"))
        let figures = response.text.split(separator: "\n").filter { !$0.hasPrefix("#") }
        #expect(
            figures == [
                "hanko_users 3", "hanko_emails 3", "hanko_emails_unassigned 1", "hanko_passkeys 1",
                "hanko_security_keys 0", "hanko_passwords 1", "hanko_otp_secrets 1", "hanko_sessions 1",
                "hanko_passcodes 1", "hanko_webhooks_enabled 0", "hanko_audit_log_entries 0",
            ])
        try bench.clock.advance(seconds: 43_200)
        let later = bench.admin(.get, "/metrics").text
        #expect(later.contains("\nhanko_sessions 0\n") && later.contains("\nhanko_passcodes 0\n"))
    }

    @Test(arguments: [
        ("", "Hanko is up"), ("/", "Hanko is up"), ("/health/alive", "{\"alive\":true}"),
        ("/health/ready", "{\"ready\":true}"),
    ])
    func `the admin side says that it is up`(path: String, text: String) throws {
        let response = try TestBench.admin().admin(.get, path)

        #expect(response.status == .ok)
        #expect(response.text.contains(text))
    }
}
