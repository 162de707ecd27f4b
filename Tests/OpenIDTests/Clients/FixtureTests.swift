import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

@Suite struct FixtureTests {
    private static let digests = (0...9).map {
        String(repeating: "A", count: 42) + "AEIMQUYcgk".map(String.init)[$0]
    }

    /// One entry of everything that an export can have.
    private static let everything = """
        "settings": {"metadata": {"x": null}, "initial_access_token": "t", "registered_scope": "openid",
            "allowed_origins": ["http://localhost:3000"], "implicit_grant": true, "profile": "fapi2", "root_paths": "auth0", "pkce": "S256",
            "strict_audience": false, "require_pushed_authorization_requests": false, "require_signed_request_object": false},
        "pages": {"auto_login": true, "session_lifetime": 60, "confirm_app_redirects": true},
        "scopes": [{"name": "openid"}, {"name": "read", "description": "Read", "needs_consent": true}],
        "users": [{"sub": "ada", "username": "ada@example.com", "password": "p", "claims": {"name": "Ada", "n": 1.5}}],
        "clients": [{"client_id": "portal", "client_secret": "s", "kind": "web", "redirect_uris": ["app:/cb"],
            "access_token_format": "jwt", "vendor": {"a": [1]}, "refresh_token_grace": 0, "claims": {"roles": ["r"]},
            "registration_token_digest": "\(digests[0])", "created_at": "2026-01-01T00:00:00.001Z"}],
        "grants": [{"id": "g1", "client_id": "portal", "sub": "ada", "scope": "openid", "issuer": "http://i",
            "type": "authorization_code", "sid": "s1", "authenticated_at": "2026-01-02T00:00:00Z", "acr": "1",
            "amr": ["pwd", "otp"], "nonce": "n", "claims": {"userinfo": {}}, "aud": ["http://a"], "act": {"sub": "b"},
            "context": "c", "created_at": "2026-01-02T00:00:00Z",
            "ended": {"at": "2026-01-02T00:00:01Z", "because": "logged_out"}},
            {"id": "g2", "client_id": "portal", "scope": "", "issuer": "http://i", "type": "client_credentials",
            "created_at": "2026-01-02T00:00:00Z"}],
        "codes": [{"digest": "\(digests[1])", "grant_id": "g1", "client_id": "portal", "redirect_uri": "app:/cb",
            "code_challenge": "c", "code_challenge_method": "S256", "issued_at": "2026-01-02T00:00:00Z",
            "expires_at": "2026-01-02T00:01:00Z", "spent_at": "2026-01-02T00:00:30Z"}],
        "access_tokens": [{"digest": "\(digests[2])", "id": "a1", "grant_id": "g1", "client_id": "portal",
            "sub": "ada", "scope": "openid", "aud": ["http://a"], "issuer": "http://i", "format": "jwt",
            "issued_at": "2026-01-02T00:00:00Z", "expires_at": "2026-01-02T01:00:00Z",
            "ended": {"at": "2026-01-02T00:00:01Z", "because": "revoked"}}],
        "refresh_tokens": [{"digest": "\(digests[3])", "id": "r1", "grant_id": "g1", "client_id": "portal",
            "scope": "openid", "issued_at": "2026-01-02T00:00:00Z", "expires_at": "2026-01-03T00:00:00Z",
            "spent_at": "2026-01-02T00:00:30Z", "answer": "{}"}],
        "sessions": [{"sid": "s1", "digest": "\(digests[4])", "sub": "ada", "authenticated_at": "2026-01-02T00:00:00Z",
            "acr": "1", "amr": ["pwd"], "browser_state": "b", "user_agent": "u", "ip_address": "127.0.0.1",
            "last_used_at": "2026-01-02T00:00:00Z", "expires_at": "2026-01-03T00:00:00Z",
            "clients": [{"client_id": "portal", "issuer": "http://i"}]}],
        "consents": [{"id": "c1", "sub": "ada", "client_id": "portal", "scope": "read",
            "given_at": "2026-01-02T00:00:00Z"}],
        "pushed_requests": [{"digest": "\(digests[5])", "client_id": "portal", "parameters": "a=b",
            "expires_at": "2026-01-02T00:01:00Z"}],
        "device_requests": [{"digest": "\(digests[6])", "user_code": "BCDFGHJK", "client_id": "portal",
            "scope": "openid", "issuer": "http://i", "state": "approved", "grant_id": "g2", "interval": 5,
            "polled_at": "2026-01-02T00:00:00Z", "expires_at": "2026-01-02T00:10:00Z"}],
        "assertions": [{"client_id": "portal", "jti": "j", "expires_at": "2026-01-02T00:01:00Z"}]
        """

    /// The members of the section, whatever the order.
    private func section(_ export: [UInt8]) throws -> JSONValue? {
        try JSONValue(parsing: export)["mounted"]?["oauth"]
    }

    @Test(arguments: [Int.min, 0, 1_000_000_001, .max])
    func `a session's lifetime is from a second to thirty years`(seconds: Int) {
        let error = #expect(throws: (any Error).self) {
            try TestBench.mounted("\"pages\": {\"session_lifetime\": \(seconds)}")
        }
        #expect(error.map { "\($0)" }?.contains("pages.session_lifetime") == true)
    }

    @Test func `an export has everything that was loaded, and loads again`() throws {
        let bench = try TestBench.mounted(Self.everything)
        let export = try bench.worlds.export(bench.world)

        let written = try #require(try JSONValue(parsing: Array("{\(Self.everything)}".utf8)).object)
        let exported = try #require(try section(export)?.object)
        #expect(Set(exported.keys) == Set(written.keys))
        for (name, value) in written {
            // An export writes milliseconds, and lists, objects and counts that are empty.
            #expect(Self.tells(exported[name], value), "\(name): \(exported[name]?.text ?? "nothing")")
        }
        try bench.worlds.load(FixtureSet(text: export, file: "export"), into: bench.world)
        #expect(try bench.worlds.export(bench.world) == export)
    }

    /// Whether an export has everything that was loaded, and nothing else but lists, objects and counts that are empty.
    private static func tells(_ exported: JSONValue?, _ loaded: JSONValue) -> Bool {
        guard let exported else { return false }
        if let list = loaded.array, let others = exported.array {
            return list.count == others.count && zip(others, list).allSatisfy { tells($0, $1) }
        }
        guard let members = loaded.object, let others = exported.object else {
            return exported.text.replacing(".000Z", with: "Z") == loaded.text
        }
        return members.allSatisfy { tells(others[$0.key], $0.value) }
            && others.allSatisfy { members[$0.key] != nil || ["[]", "{}", "0"].contains($0.value.text) }
    }

    @Test func `the kit's platform conformance holds for a mounted server`() throws {
        try checkConformance(of: MountedServer.self)
    }

    @Test func `a client that registered itself survives an export`() throws {
        let bench = try TestBench.mounted("")
        let made = try bench.post(
            "/oauth/register", JSONValue(dictionaryLiteral: ("redirect_uris", ["https://client.example/cb"])))
        let path = "/oauth/register/" + (try #require(made.fields["client_id"]))
        let token = try #require(made.fields["registration_access_token"])
        let export = try bench.worlds.export(bench.world)

        try bench.worlds.load(FixtureSet(text: export, file: "export"), into: bench.world)

        #expect(bench.get(path, headers: ["Authorization": "Bearer " + token]).bytes == made.bytes)
    }

    @Test(
        arguments: [
            (#""clients": [{"client_id": "a"}, {"client_id": "a"}]"#, "clients[1].client_id"),
            (#""clients": [{"client_id": ""}]"#, "clients[0].client_id"),
            (#""clients": [{"client_id": "a", "redirect_uris": ["cb"]}]"#, "clients[0].redirect_uris[0]"),
            (
                #""clients": [{"client_id": "a", "redirect_uris": ["http://a/#b"]}]"#,
                "clients[0].redirect_uris[0]"
            ),
            (#""clients": [{"client_id": "a", "jwks": {"keys": []}}]"#, "clients[0].jwks"),
            (
                #""clients": [{"client_id": "a", "access_token_lifetime": 0}]"#,
                "clients[0].access_token_lifetime"
            ),
            (
                #""clients": [{"client_id": "a", "token_endpoint_auth_method": "none", "client_secret": "x"}]"#,
                "clients[0].client_secret"
            ),
            (#""clients": [{"client_id": "a", "redirect_uri": "x"}]"#, "clients[0].redirect_uri"),
            (
                #""clients": [{"client_id": "a", "token_endpoint_auth_method": "x"}]"#,
                "clients[0].token_endpoint_auth_method"
            ),
            (#""users": [{"sub": "a"}, {"sub": "b", "username": "a"}]"#, "users[1].username"),
            (#""users": [{"sub": "ü"}]"#, "users[0].sub"),
            (#""scopes": [{"name": "a"}, {"name": "a"}]"#, "scopes[1].name"),
            (
                #""assertions": [{"client_id": "a", "jti": "j", "expires_at": "soon"}]"#,
                "assertions[0].expires_at"
            ),
        ])
    func `a fault is named with its place`(_ section: String, _ field: String) throws {
        let error = #expect(throws: FixtureError.self) { try TestBench.mounted(section) }
        #expect(error?.field == "mounted.oauth." + field)
    }

    @Test func `a token without its grant is a fault`() throws {
        let error = #expect(throws: FixtureError.self) {
            try TestBench.mounted(Self.everything.replacing(#""grant_id": "g1""#, with: #""grant_id": "g9""#))
        }
        #expect(error?.reason == "there is no grant “g9”")
    }
}
