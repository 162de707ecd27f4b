import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Hanko's own configuration file under `config`. Source: the JSON schemas of the configuration of Hanko 2.7 and 3.x.
@Suite struct ConfigurationFileTests {
    /// Every member that changes nothing here, with a value as the schemas have it.
    static let unheeded = """
        "audit_log": {
            "console_output": {"enabled": true, "output": "stderr"}, "mask": true, "retention": "720h",
            "storage": {"enabled": false},
        },
        "cors": {"enabled": true, "allow_credentials": true},
        "convert_legacy_config": false, "convert_legacy_server_side_session_config": true,
        "database": {
            "user": "u", "password": "p", "host": "db", "port": 5432, "dialect": "postgres", "database": "hanko",
            "url": null, "pool": 5, "idle_pool": 0, "conn_max_lifetime": 3600, "conn_max_idletime": 60,
        },
        "default_email_delivery": {"smtp": {"host": "localhost", "port": "2500", "user": "u", "password": "p"}},
        "email_delivery": {"enabled": true, "smtp": {"host": "localhost", "port": 2500}},
        "emails": {"max_num_of_addresses": 5, "require_verification": true},
        "flow_locker": {"enabled": true, "store": "redis", "redis_config": {"address": "a"}, "ttl": "30s"},
        "log": {"log_health_and_metrics": true},
        "mfa": {"enabled": false, "security_keys": {"attestation_preference": "none"}},
        "multi_tenancy": {"enabled": false},
        "passcode": {"ttl": 300},
        "password": {"min_password_length": 8},
        "rate_limiter": {"store": "redis", "redis_config": {"address": "a", "password": null}},
        "saml": {
            "enabled": false, "endpoint_url": "http://localhost", "audience_uri": "a", "default_redirect_url": "b",
            "allowed_redirect_urls": ["c"], "options": {"force_login": true},
            "identity_providers": [{"enabled": true, "name": "x", "attribute_map": {"name": "n"}}],
        },
        "secret_keys": ["abcdefghijklmnop"],
        "secrets": {"keys": ["abcdefghijklmnop"], "key_management": {"type": "aws_kms", "key_id": "k"}},
        "server": {
            "public": {"address": ":8000", "cors": {"enabled": true, "allow_credentials": true}},
            "cors": {"allow_origins": []}, "admin": {"address": ":8001", "cors": {"allow_origins": []}},
            "management": {"address": ":8002"}, "ip": {"extractor": "direct", "trusted_proxies": ["10.0.0.1"]},
        },
        "session": {"server_side": {"enabled": true, "limit": 100}},
        "smtp": {"host": "localhost"},
        "webauthn": {
            "timeout": 60000, "user_verification": "preferred",
            "relying_party": {"origin": "http://localhost:8888"},
        },
        """

    @Test func `what changes nothing is taken, exported again and remarked`() throws {
        let text = "{\"hanko\": {\"config\": {\(Self.unheeded)}}}"
        let bench = try TestBench<Hanko>(Hanko.self, fixtures: text)
        #expect(bench.get("/hanko/health/alive").status == .ok)
        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        #expect(exported.contains("\"conn_max_idletime\" : 60"))

        let remarks = try FixtureSet(text: Array(text.utf8), file: "team.json").remarks(of: [Hanko.self])
        // What a later version reads is no member that is ignored for good.
        let expected =
            Configuration.ignored.map { "hanko.config." + $0.path.joined(separator: ".") }
            + ["hanko.config.server.ip"]
        #expect(remarks.map(\.field).sorted() == expected.sorted())
        #expect(remarks.allSatisfy { $0.reason.hasPrefix("ignored: ") && $0.line > 0 })
        let database = remarks.first { $0.field == "hanko.config.database" }
        #expect(database?.description.hasPrefix("team.json:7:13: hanko.config.database: ignored: ") == true)
    }

    @Test func `a well-known provider without a client_id uses the token server's client hanko`() throws {
        let rules = try Configuration(
            json: #"""
                {"third_party": {"providers": {
                    "google": {"enabled": true}, "github": {"enabled": true, "client_id": "mine", "secret": "s"}
                }}}
                """#
        ).thirdParty
        #expect(rules.provider("google")?.clientID == "hanko")
        #expect(rules.provider("google")?.secret == "hanko-secret")
        #expect(rules.provider("github")?.clientID == "mine" && rules.provider("github")?.secret == "s")
        let error = #expect(throws: FixtureError.self) {
            try TestBench.classic(
                config: #""third_party": {"custom_providers": {"acme": {"enabled": true}}}"#)
        }
        #expect(error?.field == "hanko.config.third_party.custom_providers.acme")
    }

    // The original reads over what it does not know: files of its users have members of older versions, and their own.
    @Test func `members that no version has are taken, exported again and remarked, at any depth`() throws {
        let text = #"""
            {"hanko": {"config": {
                "databse": {"user": "hanko"},
                "session": {"liefspan": "1h", "lifespan": "1h"},
                "third_party": {"providers": {"google": {"enabled": true, "colour": [{"a": 1}]}}},
                "webhooks": {"hooks": [{"callback": "http://localhost:9/x", "events": ["user"], "retries": 3}]}}}}
            """#
        let bench = try TestBench<Hanko>(Hanko.self, fixtures: text)
        #expect(bench.get("/hanko/health/alive").status == .ok)
        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)
        for name in ["databse", "liefspan", "colour", "retries"] { #expect(exported.contains(name)) }

        let remarks = try FixtureSet(text: Array(text.utf8), file: "team.json").remarks(of: [Hanko.self])
        #expect(
            Set(remarks.map(\.field)) == [
                "hanko.config.databse", "hanko.config.session.liefspan",
                "hanko.config.third_party.providers.google.colour",
                "hanko.config.webhooks.hooks[0].retries",
            ])
        #expect(remarks.allSatisfy { $0.reason.hasPrefix("ignored: no version of Hanko") && $0.line > 1 })
        let misspelt = remarks.first { $0.field.hasSuffix("liefspan") }
        #expect(misspelt?.reason.hasSuffix("did you mean “lifespan”?") == true)
    }

    @Test func `what is wrong in a known member is an error still, and beside config every unknown one`() {
        for section in [#""config": {"session": {"lifespan": 5}}"#, #""configuration": {}"#] {
            #expect(throws: FixtureError.self) {
                try TestBench<Hanko>(Hanko.self, fixtures: "{\"hanko\": {\(section)}}")
            }
        }
    }

    @Test func `a limit of none is one`() throws {
        let bench = try TestBench.classic(
            config: #""email": {"limit": 0}, "passkey": {"limit": 0}"#)
        let added = bench.admin(.post, "/users/\(Ada.id)/emails", #"{"address": "new@b.cd"}"#)
        #expect(added.status == .conflict)
    }

    @Test func `origins that cannot be are remarked`() throws {
        let text = """
            {"hanko": {"config": {"webauthn": {"relying_party": {"id": "example.com", "origins": [
                "https://app.example.com", "https://example.org"
            ]}}}}}
            """
        let remarks = try FixtureSet(text: Array(text.utf8), file: "team.json").remarks(of: [Hanko.self])
        #expect(remarks.map(\.field) == ["hanko.config.webauthn.relying_party.origins[1]"])
        #expect(remarks.first?.line == 2)
        #expect(remarks.first?.reason.contains("can only use “example.com” as a related origin") == true)
    }

    @Test(arguments: [
        (
            "\"email_delivery\": {\"from_address\": \"id@acme.test\", \"from_name\": \"Acme\"}",
            "id@acme.test", "Acme"
        ),
        ("\"default_email_delivery\": {\"from_address\": \"id@acme.test\"}", "id@acme.test", "Hanko"),
        (
            "\"default_email_delivery\": {\"from_address\": \"a@b.test\"}, "
                + "\"email_delivery\": {\"from_address\": \"id@acme.test\"}",
            "id@acme.test", "Hanko"
        ),
        ("", "noreply@hanko.io", "Hanko"),
    ])
    func `mails come from whom the configuration names`(config: String, address: String, name: String) throws
    {
        let bench = try TestBench.classic(config: config)
        _ = try bench.startPasscode(for: Ada.id)
        let from = try #require(try bench.messages.first).message.from
        #expect(from.address == address && from.name == name)
    }

    @Test(arguments: [
        ("from_address", "nobody"), ("from_address", "a@b.test\\r\\nBcc: c@d.test"), ("from_name", "a\\nb"),
    ])
    func `a sender that no mail can have is refused`(member: String, value: String) {
        let error = #expect(throws: FixtureError.self) {
            try TestBench.classic(config: "\"email_delivery\": {\"\(member)\": \"\(value)\"}")
        }
        #expect(error?.field == "hanko.config.email_delivery.\(member)")
    }

    @Test func `the cookie of trusted devices has the name and the room that the configuration gives it`()
        throws
    {
        let cookie = DeviceTrustCookie(name: "acme-device", limit: 2)
        let header = cookie.header(adding: "t3", of: Ada.id, to: "u1:t1|u2:t2", maxAge: 60)
        #expect(
            header == "acme-device=\(Ada.id):t3|u1:t1; Path=/; Max-Age=60; HttpOnly; Secure; SameSite=None")
        let mfa = try Configuration(
            json:
                #"{"mfa": {"device_trust_cookie_name": "acme-device", "device_trust_max_users_per_device": 2}}"#
        ).mfa
        #expect(mfa.deviceTrustCookie == cookie)
        let standard = Configuration().mfa.deviceTrustCookie
        #expect(standard == DeviceTrustCookie(name: "hanko-device-token", limit: 20))
        let error = #expect(throws: FixtureError.self) {
            try TestBench<Hanko>(
                Hanko.self, fixtures: #"{"hanko": {"config": {"mfa": {"device_trust_cookie_name": "a b"}}}}"#)
        }
        #expect(error?.field == "hanko.config.mfa.device_trust_cookie_name")
    }

    @Test func `attestation is asked for as the passkeys' preference has it`() throws {
        let bench = try TestBench.mobile(
            config: #""passkey": {"attestation_preference": "none"}"#)
        let options = try JSON(parsing: bench.creationOptions(try bench.signedIn()))
        #expect(options["publicKey"]?["attestation"] == "none")
    }

    @Test func `users are told in full where the vendor's Android sample needs them so`() throws {
        let bench = try TestBench.mobile(section: "\"full_user_answers\": true")
        let created = try bench.post("/hanko/users", ["email": "new@example.com"])
        let user = try JSON(parsing: created.bytes)
        #expect(user["email"] == "new@example.com" && user["verified"] == false)
        #expect(user["created_at"] == "2026-01-02T03:04:05Z")
        #expect(user["updated_at"] == user["created_at"] && user["id"] == user["user_id"])
        let session = try bench.signedIn()
        let shown = try JSON(parsing: bench.get("/hanko/users/\(Ada.id)", headers: session).bytes)
        #expect(shown["verified"] == true && shown["email"] == .string(Ada.address))

        let plain = try TestBench.mobile()
        let brief = try JSON(parsing: plain.post("/hanko/users", ["email": "new@example.com"]).bytes)
        #expect(brief.object?.keys.sorted() == ["email_id", "id", "user_id"])
    }
}
