import Essentials
import HTTP
import OpenID
import PlatformKit
import TestKit
import Testing

/// One issuer whatever host is asked. Source: OpenID Connect Core 1.0 §3.1.3.7; Keycloak, “Configuring the hostname (v2)”.
@Suite struct OneIssuerTests {
    private static let visited = ["authorization_endpoint", "end_session_endpoint", "check_session_iframe"]
    private static let called = [
        "token_endpoint", "jwks_uri", "userinfo_endpoint", "introspection_endpoint", "revocation_endpoint",
        "registration_endpoint", "device_authorization_endpoint", "pushed_authorization_request_endpoint",
    ]

    private func document(_ bench: TestBench<MountedServer>, at host: String) throws -> JSONValue {
        try JSONValue(
            parsing: bench.get("/oauth/.well-known/openid-configuration", headers: ["Host": host]).bytes)
    }

    private func expect(_ document: JSONValue, visited: String, called: String) {
        #expect(document["issuer"]?.string == visited)
        for name in Self.visited {
            #expect(document[name]?.string?.hasPrefix(visited + "/") == true, "\(name)")
        }
        for name in Self.called {
            #expect(document[name]?.string?.hasPrefix(called + "/") == true, "\(name)")
        }
    }

    @Test func `a public URL is the issuer, and back ends are told the host that they asked`() throws {
        let bench = try TestBench.mounted("") { $0.publicURL = "http://localhost:8420" }
        for host in ["understudy:8420", "10.0.2.2:8420", "host.docker.internal:8420"] {
            expect(
                try document(bench, at: host), visited: "http://localhost:8420/oauth",
                called: "http://\(host)/oauth")
        }
    }

    @Test func `the fixtures of a world may name its issuer, and fix the back channel`() throws {
        let issuer = "https://login.example.com/realms/blue"
        let dynamic = try TestBench.mounted(#""settings": {"issuer": "\#(issuer)"}"#)
        expect(try document(dynamic, at: "understudy"), visited: issuer, called: "http://understudy/oauth")

        let fixed = try TestBench.mounted(
            #""settings": {"issuer": "\#(issuer)", "fixed_back_channel": true}"#)
        expect(try document(fixed, at: "understudy"), visited: issuer, called: issuer)
    }

    @Test func `the fixed issuer is what tokens of every grant say`() throws {
        let issuer = "https://login.example.com/oauth"
        let bench = try TestBench.mounted(
            """
            "settings": {"issuer": "\(issuer)"}, "clients": [{"client_id": "job", "client_secret": "s", "scope": "a",
                "default_scope": "a", "grant_types": ["client_credentials"], "access_token_format": "jwt"}],
            "scopes": [{"name": "a"}]
            """)
        let answer = bench.form(
            "/token", ["grant_type": "client_credentials"],
            headers: ["Authorization": TestBench.basic("job", "s"), "Host": "understudy"])
        let token = try JSONValue(parsing: answer.bytes)["access_token"]
        #expect(try bench.claims(token)["iss"]?.string == issuer)
    }

    @Test(arguments: [
        "login.example.com", "http://login.example.com/oauth", "https://login.example.com/",
        "https://u@a.example",
        "https://login.example.com/?x=1", "https://login.example.com/#x", "ftp://localhost/oauth",
    ])
    func `an issuer that no token can say is refused`(_ issuer: String) {
        #expect(throws: (any Error).self) {
            try TestBench.mounted(#""settings": {"issuer": "\#(issuer)"}"#)
        }
    }

    @Test func `a fixed back channel without an issuer is refused`() {
        #expect(throws: (any Error).self) {
            try TestBench.mounted(#""settings": {"fixed_back_channel": true}"#)
        }
    }

    @Test func `two names of one server are told at discovery and at the login, whichever comes first`()
        throws
    {
        let bench = try Cast.bench()
        let browser = Browser(bench)
        #expect(browser.open(Cast.request()).status == 200)
        #expect(bench.explanation == nil, "nobody else was there")

        _ = try document(bench, at: "understudy:8420")
        let told = try #require(bench.explanation)
        #expect(told.contains("iss “http://localhost:8420/oauth”"))
        #expect(told.contains("iss is http://localhost:8420/oauth, expected http://understudy:8420/oauth"))
        #expect(told.contains("--public-url http://localhost:8420, or set mounted.oauth.settings.issuer"))
        #expect(told.contains("adb reverse tcp:8420 tcp:8420"))
        #expect(browser.open(Cast.request()).status == 200)
        #expect(
            bench.journal.contains {
                $0.exchange?.target.hasPrefix("/oauth/authorize") == true && $0.explanation == told
            })
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `a program that reads metadata by an address of its own is no strict back end`() throws {
        let bench = try Cast.bench()
        _ = bench.get(
            "/oauth/.well-known/openid-configuration",
            headers: ["Host": "127.0.0.1:8420", "User-Agent": "understudy"])
        #expect(Browser(bench).open(Cast.request()).status == 200)
        #expect(bench.journal.allSatisfy { $0.explanation == nil })
    }

    @Test func `a world has nothing to do with the addresses of another`() throws {
        let bench = try Cast.bench()
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)
        _ = bench.get("/w/blue/oauth/.well-known/openid-configuration", headers: ["Host": "understudy"])
        #expect(Browser(bench).open(Cast.request()).status == 200)
        #expect(bench.explanation == nil)
    }

    @Test func `pages stay at the host where the browser is, and cookies at its scheme`() throws {
        let bench = try TestBench.mounted("\(Cast.users), \"clients\": [\(Cast.web)]") {
            $0.publicURL = "https://id.example"
        }
        let response = bench.get("/oauth" + Cast.request(), headers: ["Host": "localhost:8420"])
        let place = try #require(response.headers["Location"])
        #expect(place.hasPrefix("/oauth/login?interaction="))
        let page = bench.get(place)
        #expect(page.text.contains("action=\"/oauth/login\""))
        let cookie = try #require(page.headers["Set-Cookie"])
        #expect(cookie.hasPrefix("mounted.browser=") && cookie.contains("Path=/oauth;"))
        #expect(!cookie.contains("Secure"))
    }

    // RFC 7523 §3: the audience is the server by any of its addresses.
    @Test(arguments: [
        "https://id.example/oauth", "https://id.example/oauth/token", "http://understudy/oauth/token",
    ])
    func `an assertion may be meant for the issuer or for the endpoint that was called`(_ audience: String)
        throws
    {
        let kit = try AssertionKit()
        let bench = try TestBench.mounted(
            """
            "clients": [{"client_id": "keeper", "token_endpoint_auth_method": "private_key_jwt", "jwks": \(kit.jwks),
                "grant_types": ["client_credentials"], "scope": "a", "default_scope": "a"}], "scopes": [{"name": "a"}]
            """
        ) { $0.publicURL = "https://id.example" }
        var claims = AssertionKit.claims(bench)
        claims["aud"] = .string(audience)
        var request = kit.request(try kit.assertion(claims), "&grant_type=client_credentials")
        request.headers["Host"] = "understudy"
        #expect(bench.send(request).status == .ok)
    }
}
