import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

@Suite struct DiscoveryTests {
    private static let path = "/oauth/.well-known/openid-configuration"

    private func document(_ bench: TestBench<MountedServer>, _ path: String = path) throws -> [String:
        JSONValue]
    {
        let response = bench.get(path)
        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "application/json")
        return try #require(try JSONValue(parsing: response.bytes).object)
    }

    // OpenID Connect Discovery 1.0 §3, §4.3.
    @Test
    func `oidcc-discovery-endpoint-verification: the document is whole and its issuer is its URL's prefix`()
        throws
    {
        let bench = try TestBench.mounted("")
        let document = try document(bench)

        #expect(document["issuer"] == "http://localhost:8420/oauth")
        for name in [
            "authorization_endpoint", "token_endpoint", "jwks_uri", "userinfo_endpoint",
            "registration_endpoint",
            "device_authorization_endpoint", "pushed_authorization_request_endpoint",
            "introspection_endpoint",
            "revocation_endpoint", "end_session_endpoint", "check_session_iframe", "service_documentation",
        ] {
            #expect(document[name]?.string?.hasPrefix("http://localhost:8420/") == true, "\(name)")
        }
        for name in [
            "scopes_supported", "response_types_supported", "response_modes_supported",
            "grant_types_supported",
            "subject_types_supported", "id_token_signing_alg_values_supported",
            "userinfo_signing_alg_values_supported", "token_endpoint_auth_methods_supported",
            "token_endpoint_auth_signing_alg_values_supported",
            "introspection_endpoint_auth_methods_supported",
            "revocation_endpoint_auth_methods_supported", "code_challenge_methods_supported",
            "claims_supported",
            "acr_values_supported", "ui_locales_supported",
        ] {
            #expect(document[name]?.strings?.isEmpty == false, "\(name)")
        }
    }

    @Test func `oidcc-discovery-endpoint-verification: what is offered`() throws {
        let document = try document(try TestBench.mounted(""))

        #expect(document["subject_types_supported"] == ["public"])
        #expect(document["response_types_supported"] == ["code"])
        #expect(document["id_token_signing_alg_values_supported"]?.strings?.contains("RS256") == true)
        #expect(document["id_token_signing_alg_values_supported"]?.strings?.contains("none") == false)
        #expect(
            document["token_endpoint_auth_signing_alg_values_supported"]?.strings?.contains("none") == false)
        #expect(document["scopes_supported"]?.strings?.contains("openid") == true)
        #expect(document["scopes_supported"]?.strings?.contains("offline_access") == true)
        #expect(document["code_challenge_methods_supported"] == ["S256", "plain"])
        #expect(document["request_parameter_supported"] == false)
        #expect(document["request_uri_parameter_supported"] == false)
        #expect(document["require_pushed_authorization_requests"] == false)
        #expect(document["claims_parameter_supported"] == true)
        // Initiating User Registration via OpenID Connect 1.0 §4.1: create is listed where it is taken.
        #expect(
            document["prompt_values_supported"] == ["none", "login", "consent", "create", "select_account"])
        #expect(document["authorization_response_iss_parameter_supported"] == true)
        #expect(
            document["grant_types_supported"] == [
                "authorization_code", "refresh_token", "client_credentials",
                "urn:ietf:params:oauth:grant-type:device_code",
                "urn:ietf:params:oauth:grant-type:token-exchange",
            ])
    }

    @Test func `oidcc-rp-initiated-logout-discovery-endpoint-verification`() throws {
        #expect(
            try document(TestBench.mounted(""))["end_session_endpoint"]
                == "http://localhost:8420/oauth/logout")
    }

    @Test func `oidcc-backchannel-logout-discovery-endpoint-verification`() throws {
        let document = try document(try TestBench.mounted(""))
        #expect(document["backchannel_logout_supported"] == true)
        #expect(document["backchannel_logout_session_supported"] == true)
    }

    @Test func `oidcc-frontchannel-logout-discovery-endpoint-verification`() throws {
        let document = try document(try TestBench.mounted(""))
        #expect(document["frontchannel_logout_supported"] == true)
        #expect(document["frontchannel_logout_session_supported"] == true)
    }

    @Test func `oidcc-session-management-discovery-endpoint-verification`() throws {
        #expect(
            try document(TestBench.mounted(""))["check_session_iframe"]
                == "http://localhost:8420/oauth/checksession")
    }

    @Test func `the implicit grant is offered when the fixtures switch it on`() throws {
        let document = try document(try TestBench.mounted(#""settings": {"implicit_grant": true}"#))
        #expect(document["response_types_supported"] == ["code", "id_token", "token id_token"])
        #expect(document["grant_types_supported"]?.strings?.contains("implicit") == true)
    }

    // RFC 8414 §3.1.
    @Test(arguments: [
        "/oauth/.well-known/oauth-authorization-server", "/.well-known/oauth-authorization-server/oauth",
        "/.well-known/openid-configuration/oauth",
    ])
    func `the same document stands at every address that a standard knows`(_ path: String) throws {
        let bench = try TestBench.mounted("")
        #expect(bench.get(path).bytes == bench.get(Self.path).bytes)
        #expect(bench.send(.post, path).bytes == bench.get(Self.path).bytes)
        #expect(bench.send(.head, path).status == .ok)
    }

    @Test func `each world has an issuer of its own`() throws {
        let bench = try TestBench.mounted("")
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)
        for path in [
            "/w/blue/oauth/.well-known/openid-configuration",
            "/.well-known/openid-configuration/w/blue/oauth",
            "/.well-known/oauth-authorization-server/w/blue/oauth",
        ] {
            let document = try document(bench, path)
            #expect(document["issuer"] == "http://localhost:8420/w/blue/oauth")
            #expect(document["token_endpoint"] == "http://localhost:8420/w/blue/oauth/token")
        }
        #expect(try document(bench)["issuer"] == "http://localhost:8420/oauth")
    }

    @Test func `the document says the URL under which the client came`() throws {
        let bench = try TestBench.mounted("")
        let response = bench.get(Self.path, headers: ["Host": "10.0.2.2:9000"])
        #expect(try JSONValue(parsing: response.bytes)["issuer"] == "http://10.0.2.2:9000/oauth")
        let own = bench.get("/.well-known/openid-configuration", headers: ["Host": "oauth.localhost:8420"])
        #expect(try JSONValue(parsing: own.bytes)["issuer"] == "http://oauth.localhost:8420")
    }

    // Ours.
    @Test func `the fixtures may replace and remove members`() throws {
        let bench = try TestBench.mounted(
            #""settings": {"metadata": {"token_endpoint": "http://wrong.example/", "x_more": [1], "claims_supported": null}}"#
        )
        let document = try document(bench)
        #expect(document["token_endpoint"] == "http://wrong.example/")
        #expect(document["x_more"] == [1])
        #expect(document["claims_supported"] == nil)
    }

    @Test func `other fixtures bring another document`() throws {
        let bench = try TestBench.mounted("")
        #expect(try document(bench)["response_types_supported"] == ["code"])
        let fixtures =
            #"{"mounted": {"oauth": {"settings": {"metadata": {"response_types_supported": ["x"]}}}}}"#
        try bench.worlds.load(FixtureSet(text: Array(fixtures.utf8), file: "other"), into: bench.world)
        #expect(try document(bench)["response_types_supported"] == ["x"])
    }

    // RFC 7517 §4, §5.
    @Test func `the keys are public, named, and for one use`() throws {
        let bench = try TestBench.mounted("")
        let response = bench.get("/oauth/jwks")
        #expect(response.status == .ok)
        #expect(response.headers["Content-Type"] == "application/json")
        #expect(response.headers["Cache-Control"] == "public, max-age=60")
        let keys = try #require(try JSONValue(parsing: response.bytes)["keys"]?.array)
        #expect(Set(keys.map { $0["kid"]?.string }) == [TestKeys.rsaID, TestKeys.ecID])
        #expect(Set(keys.map { $0["alg"]?.string }) == ["RS256", "ES256"])
        for key in keys {
            #expect(key["use"] == "sig")
            for secret in ["d", "p", "q", "dp", "dq", "qi", "k"] { #expect(key[secret] == nil) }
        }
        let rsa = try #require(keys.first { $0["kty"] == "RSA" })
        // 2,048 bits are 342 characters of base64url.
        #expect(rsa["n"]?.string?.utf8.count == 342)
        #expect(bench.send(.head, "/oauth/jwks").status == .ok)
    }

    // Token Server documentation: the key is there before it signs, and stays after it did.
    @Test func `oidcc-server-rotate-keys: the key set shows the previous, the current and the next key`()
        throws
    {
        let bench = try TestBench.mounted("")
        func kids() throws -> [String] {
            try JSONValue(parsing: bench.get("/oauth/jwks").bytes)["keys"]?.array?.compactMap {
                $0["kid"]?.string
            } ?? []
        }
        #expect(try kids().contains(TestKeys.ecID))
        let first = try #require(try bench.world.services.keys.rotate("mounted", "ES256").first)
        #expect(try Set(kids()).isSuperset(of: [TestKeys.ecID, first.current, first.next]))
        let second = try #require(try bench.world.services.keys.rotate("mounted", "ES256").first)
        #expect(second.current == first.next)
        #expect(try kids().contains(first.current))
        #expect(try !kids().contains(TestKeys.ecID))
    }

    // Token Server documentation.
    @Test func `pages of every origin may read metadata and keys`() throws {
        let bench = try TestBench.mounted("")
        for path in [Self.path, "/oauth/jwks"] {
            let response = bench.get(path, headers: ["Origin": "http://localhost:3000"])
            #expect(response.headers["Access-Control-Allow-Origin"] == "*")
        }
    }
}
