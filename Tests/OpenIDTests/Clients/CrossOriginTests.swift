import HTTP
import TestKit
import Testing

@testable import OpenID

/// Source: WHATWG Fetch.
@Suite struct CrossOriginTests {
    private static let origin = "http://localhost:3000"

    private func preflight(_ bench: TestBench<MountedServer>, _ path: String) -> Response {
        bench.send(
            .options, "/oauth" + path,
            headers: [
                "Origin": Self.origin, "Access-Control-Request-Method": "POST",
                "Access-Control-Request-Headers": "authorization,content-type,dpop",
            ])
    }

    @Test(arguments: [
        "/token", "/revoke", "/introspect", "/userinfo", "/device_authorization", "/par",
    ])
    func `a page of another origin may call what clients call`(_ path: String) throws {
        let response = preflight(try TestBench.mounted(""), path)
        #expect(response.status == .noContent)
        #expect(response.headers["Access-Control-Allow-Origin"] == Self.origin)
        #expect(response.headers["Access-Control-Allow-Methods"] == "GET, POST, PUT, DELETE")
        #expect(response.headers["Access-Control-Allow-Headers"] == "authorization,content-type,dpop")
    }

    @Test(arguments: ["/authorize", "/login", "/consent", "/logout"])
    func `no page of another origin may call what a browser is sent to`(_ path: String) throws {
        let bench = try TestBench.mounted("")
        let response = preflight(bench, path)
        #expect(response.headers.fields.allSatisfy { !$0.name.hasPrefix("Access-Control-") })
        let plain = bench.get("/oauth" + path, headers: ["Origin": Self.origin])
        #expect(plain.headers.fields.allSatisfy { !$0.name.hasPrefix("Access-Control-") })
    }

    @Test func `a page of another origin registers clients only where the fixtures let it`() throws {
        let strict = try TestBench.mounted("")
        #expect(preflight(strict, "/register").headers["Access-Control-Allow-Origin"] == nil)
        #expect(strict.explanation?.contains("registration_from_pages") == true)
        let body = #"{"redirect_uris": ["https://client.example/cb"]}"#
        let refused = strict.post("/oauth/register", raw: body, headers: ["Origin": Self.origin])
        #expect(refused.status == .forbidden)
        #expect(strict.explanation?.contains("registration_from_pages") == true)
        #expect(strict.misshapenExplanations == [])

        let open = try TestBench.mounted(#""settings": {"registration_from_pages": true}"#)
        #expect(preflight(open, "/register").headers["Access-Control-Allow-Origin"] == Self.origin)
        let made = open.post("/oauth/register", raw: body, headers: ["Origin": Self.origin])
        #expect(made.status == .created)
    }

    @Test func `a page that fetches what browsers are sent to is told so`() throws {
        let bench = try TestBench.mounted("")
        _ = preflight(bench, "/authorize")
        #expect(bench.explanation?.contains("CORS") == true)
        #expect(bench.explanation?.contains("whatever the rules allow") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `the fixtures may name the origins`() throws {
        let bench = try TestBench.mounted(#""settings": {"allowed_origins": ["https://app.example"]}"#)
        #expect(preflight(bench, "/token").headers["Access-Control-Allow-Origin"] == nil)
        let allowed = bench.get("/oauth/userinfo", headers: ["Origin": "https://app.example"])
        #expect(allowed.headers["Access-Control-Allow-Origin"] == "https://app.example")
        let other = bench.get("/oauth/userinfo", headers: ["Origin": Self.origin])
        #expect(other.headers["Access-Control-Allow-Origin"] == nil)
    }

    @Test(arguments: [
        "/jwks", "/.well-known/openid-configuration", "/.well-known/oauth-authorization-server",
    ])
    func `every page may read metadata and keys, whatever the origins are`(_ path: String) throws {
        let bench = try TestBench.mounted(#""settings": {"allowed_origins": ["https://app.example"]}"#)
        let response = bench.get("/oauth" + path, headers: ["Origin": Self.origin])
        #expect(response.headers["Access-Control-Allow-Origin"] == "*")
        #expect(response.headers["Access-Control-Allow-Credentials"] == nil)
        #expect(preflight(bench, path).headers["Access-Control-Allow-Origin"] == "*")
    }
}
