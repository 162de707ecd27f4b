import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct FixtureTests {
    // MARK: Export and load

    /// A world in which everything there is was touched.
    private func livelyBench() throws -> TestBench<Hanko> {
        let bench = try TestBench.mobile(
            config:
                "\"account\": {\"allow_deletion\": true}, \"rate_limiter\": {\"passcode_limits\": {\"tokens\": 5}},",
            section: "\"strict_pending_address\": true, \"emails\": [{\"address\": \"waiting@example.com\"}]"
        )
        bench.time.advance(seconds: 0.123)
        let token = try bench.signIn(Ada.id, headers: ["User-Agent": "test/1.0"])
        _ = try bench.post("/hanko/emails", ["address": "second@example.com"], headers: .bearer(token))
        let (id, code) = try bench.startPasscode(for: Ada.id)
        _ = try bench.finishPasscode(id, bench.wrong(code))
        _ = try bench.register("new@example.com")
        _ = try bench.register("new@example.com")
        return bench
    }

    @Test func `an export, loaded again, gives the same export`() throws {
        let bench = try livelyBench()
        let exported = try bench.worlds.export(bench.world)

        let other = try TestBench<Hanko>(Hanko.self, fixtures: String(decoding: exported, as: UTF8.self))
        let again = try other.worlds.export(other.world)
        #expect(String(decoding: again, as: UTF8.self) == String(decoding: exported, as: UTF8.self))
    }

    @Test func `a world that was exported goes on where it was`() throws {
        let bench = try livelyBench()
        let token = try bench.signIn(Grace.id)
        let (id, code) = try bench.startPasscode(for: Ada.id)
        let created = try bench.register("third@example.com")
        for _ in 1...2 { _ = try bench.finishPasscode(id, bench.wrong(code)) }
        let exported = try bench.worlds.export(bench.world)

        let other = try TestBench<Hanko>(Hanko.self, fixtures: String(decoding: exported, as: UTF8.self))
        #expect(other.get("/hanko/me", headers: .bearer(token)).fields["id"] == Grace.id)
        #expect(try other.finishPasscode(id, other.wrong(code)).status == .gone)
        let strict = try other.post("/hanko/passcode/login/initialize", ["user_id": created.id])
        #expect(strict.status == .internalServerError)
        #expect(other.explanation?.contains("third@example.com") == true)
    }

    @Test func `no export tells a passcode`() throws {
        let bench = try TestBench.classic()
        let (_, code) = try bench.startPasscode(for: Ada.id)

        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        #expect(exported.contains("code_sha256"))
        #expect(!exported.contains("\"\(code)\""))
    }

    @Test func `a passcode in the fixtures works with its code`() throws {
        let id = "ada00000-0000-4000-8000-0000000000c1"
        let bench = try TestBench.classic(
            section: """
                "passcodes": [{"id": "\(id)", "user_id": "\(Ada.id)", "email_id": "\(Ada.emailID)", "code": "000042",
                    "created_at": "2026-01-02T03:04:00Z"}]
                """)

        #expect(try bench.finishPasscode(id, "000042").status == .ok)
    }

    @Test func `ids of addresses that say none are always the same`() throws {
        func id() throws -> String? {
            let bench = try TestBench<Hanko>(
                Hanko.self,
                fixtures: """
                    {"hanko": {"users": [{"id": "\(Ada.id)", "emails": [{"address": "Ada@Example.com"}]}]}}
                    """)
            return try bench.post("/hanko/user", ["email": "ada@example.com"]).fields["email_id"]
        }

        let first = try #require(try id())
        #expect(UUIDText.isVersion4(first))
        #expect(try id() == first)
    }

    // MARK: What is refused

    /// Objects in each other, one level too many.
    private static let nested =
        String(repeating: "{\"a\":", count: 33) + "1" + String(repeating: "}", count: 33)

    private static let other = "ada00000-0000-4000-8000-0000000000aa"

    @Test(arguments: [
        (
            "\"users\": [{\"id\": \"ADA00000-0000-4000-8000-000000000001\"}]", "hanko.users[0].id",
            "it is one in upper case"
        ),
        ("\"users\": [{\"id\": \"ada\"}]", "hanko.users[0].id", "version 4 UUID"),
        (
            "\"users\": [{\"id\": \"\(Ada.id)\", \"username\": \"a\", \"metadata\": {\"public\": \(nested)}}]",
            "hanko.users[0].metadata.public", "more than 32 levels"
        ),
        (
            """
            "users": [{"id": "\(Ada.id)", "username": "a", "identities": [
                {"provider": "google", "subject": "1", "claims": \(nested)}]}]
            """, "hanko.users[0].identities[0].claims", "more than 32 levels"
        ),
        (
            "\"users\": [{\"id\": \"\(Ada.id)\"}, {\"id\": \"\(Ada.id)\"}]", "hanko.users[1].id",
            "appears twice"
        ),
        (
            "\"users\": [{\"id\": \"\(Ada.id)\", \"username\": \"a\"}, {\"id\": \"\(Grace.id)\", \"username\": \"a\"}]",
            "hanko.users[1].username", "another user"
        ),
        (
            "\"users\": [{\"id\": \"\(Ada.id)\", \"emails\": [{\"address\": \"a@b.cd\"}, {\"address\": \"A@b.cd\"}]}]",
            "hanko.users[0].emails[1].address", "appears twice"
        ),
        (
            """
            "users": [{"id": "\(Ada.id)", "emails": [
                {"id": "\(other)", "address": "a@b.cd"}, {"id": "\(other)", "address": "b@b.cd"}]}]
            """, "hanko.users[0].emails[1].id", "appears twice"
        ),
        (
            """
            "users": [{"id": "\(Ada.id)", "emails": [
                {"address": "a@b.cd", "is_primary": true}, {"address": "b@b.cd", "is_primary": true}]}]
            """, "hanko.users[0].emails[1].is_primary", "one primary address"
        ),
        (
            """
            "users": [{"id": "\(Ada.id)", "username": "a", "password": {"text": "secret", "user_id": "\(Grace.id)"}}]
            """, "hanko.users[0].password.user_id", "the user around it"
        ),
        (
            """
            "users": [{"id": "\(Ada.id)", "username": "a", "password": {"text": "\(String(repeating: "a", count: 73))"}}]
            """, "hanko.users[0].password.text", "1 to 72 bytes"
        ),
        (
            "\"users\": [{\"id\": \"\(Ada.id)\", \"username\": \"a\", \"password\": {\"text\": \"a\", \"hash\": \"b\"}}]",
            "hanko.users[0].password", "either"
        ),
        ("\"emails\": [{\"address\": \"\"}]", "hanko.emails[0].address", "mail address"),
        (
            "\"emails\": [{\"address\": \"a@b.cd\", \"is_primary\": true}]", "hanko.emails[0].is_primary",
            "without a user"
        ),
        (
            "\"users\": [{\"id\": \"\(Ada.id)\", \"pending_email_id\": \"\(other)\"}]",
            "hanko.users[0].pending_email_id", "no address"
        ),
        (
            """
            "passcodes": [{"id": "\(other)", "user_id": "\(Ada.id)", "email_id": "\(Ada.emailID)", "code": "123456",
                "created_at": "2026-01-01T00:00:00Z"}]
            """, "hanko.passcodes[0].user_id", "no user"
        ),
        (
            """
            "users": [{"id": "\(Ada.id)"}], "passcodes": [{"id": "\(other)", "user_id": "\(Ada.id)",
                "email_id": "\(Ada.emailID)", "code": "123456", "created_at": "2026-01-01T00:00:00Z"}]
            """, "hanko.passcodes[0].email_id", "no address"
        ),
        (
            """
            "sessions": [{"id": "\(other)", "user_id": "\(Ada.id)", "created_at": "2026-01-01T00:00:00Z",
                "expires_at": "2026-01-01T00:00:00Z"}]
            """, "hanko.sessions[0].user_id", "no user"
        ),
        (
            """
            "rate_limits": [{"key": "a", "since": "2026-01-01T00:00:00Z", "used": 1},
                {"key": "a", "since": "2026-01-01T00:00:00Z", "used": 1}]
            """, "hanko.rate_limits[1].key", "appears twice"
        ),
        (
            "\"rate_limits\": [{\"key\": \"a\", \"since\": \"2026-01-01T00:00:00Z\", \"used\": -1}]",
            "hanko.rate_limits[0].used", "negative"
        ),
        ("\"config\": {\"session\": {\"lifespan\": \"12\"}}", "hanko.config.session.lifespan", "duration"),
        ("\"config\": {\"session\": {\"lifespan\": \"0\"}}", "hanko.config.session.lifespan", "one second"),
        ("\"config\": {\"session\": {\"lifespan\": \"1e9h\"}}", "hanko.config.session.lifespan", "duration"),
        (
            "\"config\": {\"session\": {\"idle_timeout\": \"-1m\"}}", "hanko.config.session.idle_timeout",
            "from none to ten years"
        ),
        (
            "\"config\": {\"session\": {\"idle_timeout\": \"99999999999999999999h\"}}",
            "hanko.config.session.idle_timeout", "from none to ten years"
        ),
        ("\"config\": {\"session\": {\"limit\": 0}}", "hanko.config.session.limit", "from 1"),
        (
            "\"config\": {\"session\": {\"cookie\": {\"name\": \"a b\"}}}",
            "hanko.config.session.cookie.name", "carry"
        ),
        (
            "\"config\": {\"session\": {\"cookie\": {\"same_site\": \"never\"}}}",
            "hanko.config.session.cookie.same_site", ""
        ),
        ("\"config\": {\"email\": {\"passcode_ttl\": 0}}", "hanko.config.email.passcode_ttl", "from 1"),
        (
            "\"config\": {\"rate_limiter\": {\"passcode_limits\": {\"interval\": \"1ms\"}}}",
            "hanko.config.rate_limiter.passcode_limits.interval", "one second"
        ),
        (
            "\"config\": {\"rate_limiter\": {\"passcode_limits\": {\"interval\": \"99999999999999999999h\"}}}",
            "hanko.config.rate_limiter.passcode_limits.interval", "ten years"
        ),
        (
            "\"config\": {\"server\": {\"public\": {\"cors\": {\"allow_origins\": [\"*\"]}}}}",
            "hanko.config.server.public.cors.allow_origins", "unsafe_wildcard_origin_allowed"
        ),
    ])
    func `mistakes are told with their place`(section: String, field: String, reason: String) throws {
        let error = #expect(throws: FixtureError.self) {
            try TestBench<Hanko>(Hanko.self, fixtures: "{\"hanko\": {\(section)}}")
        }
        #expect(error?.field == field)
        #expect(error?.reason.contains(reason) == true || reason.isEmpty, "\(error?.reason ?? "")")
    }

    @Test(arguments: [
        ("\"code\": \"12345\"", "code", "six digits"), ("\"code\": \"12345x\"", "code", "six digits"),
        ("\"code_sha256\": \"AAAA\"", "code_sha256", "32 bytes"),
        ("\"ttl\": 0, \"code\": \"123456\"", "ttl", "from 1"),
        ("\"wrong_tries\": 3, \"code\": \"123456\"", "wrong_tries", "0 to 2"),
    ])
    func `passcodes that make no sense are refused`(members: String, field: String, reason: String) throws {
        let error = #expect(throws: FixtureError.self) {
            try TestBench.classic(
                section: """
                    "passcodes": [{"id": "\(Self.other)", "user_id": "\(Ada.id)", "email_id": "\(Ada.emailID)",
                        "created_at": "2026-01-01T00:00:00Z", \(members)}]
                    """)
        }
        #expect(error?.field == "hanko.passcodes[0].\(field)")
        #expect(error?.reason.contains(reason) == true)
    }

    @Test func `a passcode has its code or its hash`() throws {
        let error = #expect(throws: FixtureError.self) {
            try TestBench.classic(
                section: """
                    "passcodes": [{"id": "\(Self.other)", "user_id": "\(Ada.id)", "email_id": "\(Ada.emailID)",
                        "created_at": "2026-01-01T00:00:00Z"}]
                    """)
        }
        #expect(error?.field == "hanko.passcodes[0]")
    }

    // The original's tables have such users.
    @Test func `a user may have several addresses and no primary one`() throws {
        let bench = try TestBench<Hanko>(
            Hanko.self,
            fixtures: """
                {"hanko": {"users": [{"id": "\(Ada.id)", "emails": [
                    {"address": "a@b.cd", "is_primary": false}, {"address": "b@b.cd", "is_primary": false}]}]}}
                """)
        let exported = try bench.worlds.export(bench.world)
        try bench.worlds.load(FixtureSet(text: exported, file: "export"), into: bench.world)
        let stored = try bench.world.database.read { try $0.account(Ada.id) }
        #expect(stored?.emails.map(\.isPrimary) == [false, false])
        #expect(bench.admin(.get, "/users/\(Ada.id)").status == .ok)
    }
}
