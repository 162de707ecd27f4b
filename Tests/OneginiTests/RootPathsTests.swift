import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// Paths of Auth0 at the root of a world. Source: Auth0, “Authentication API”.
@Suite struct RootPathsTests {
    private static func bench(_ settings: String = #""root_paths": "auth0""#) throws -> TestBench<Onegini> {
        try TestBench<Onegini>(
            Onegini.self,
            fixtures: """
                {"onegini": {"oauth": {"settings": {\(settings)}, "users": [{"sub": "ada", "claims": {"name": "Ada"}}], "clients": [
                    {"client_id": "spa", "token_endpoint_auth_method": "none", "scope": "openid profile",
                     "redirect_uris": ["http://localhost:3000"], "post_logout_redirect_uris": ["http://localhost:3000/bye"]}]}}}
                """)
    }

    private static let root = TestBench<Onegini>.origin
    private static let request =
        "/authorize?client_id=spa&redirect_uri=http://localhost:3000&response_type=code&scope=openid%20profile&state=s"
        + "&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256"

    @Test func `the metadata at the root name the root, with a slash as issuer`() throws {
        let bench = try Self.bench()
        for path in ["/.well-known/openid-configuration", "/oauth/.well-known/openid-configuration"] {
            let document = try JSONValue(parsing: bench.get(path).bytes)
            #expect(document["issuer"] == .string(Self.root + "/"))
            #expect(document["authorization_endpoint"] == .string(Self.root + "/authorize"))
            #expect(document["token_endpoint"] == .string(Self.root + "/oauth/token"))
            #expect(document["userinfo_endpoint"] == .string(Self.root + "/userinfo"))
            #expect(document["jwks_uri"] == .string(Self.root + "/.well-known/jwks.json"))
        }
        #expect(
            try JSONValue(parsing: bench.get("/.well-known/jwks.json").bytes)["keys"]?.array?.isEmpty == false
        )
    }

    @Test func `a login begins at the root and goes on at the pages of the server`() throws {
        let bench = try Self.bench()
        let response = bench.get(Self.request)
        #expect(response.status == .seeOther)
        let page = response.headers["Location"] ?? ""
        #expect(page.hasPrefix("/oauth/login?interaction="), "\(page)")
        #expect(bench.get(page).status == .ok)
        #expect(bench.get("/userinfo", headers: ["Authorization": "Bearer x"]).status == .unauthorized)
    }

    @Test func `a page of another origin may ask for the user at the root`() throws {
        let response = try Self.bench().send(
            .options, "/userinfo",
            headers: [
                "Origin": "http://localhost:3000", "Access-Control-Request-Method": "GET",
                "Access-Control-Request-Headers": "authorization",
            ])
        #expect(response.headers["Access-Control-Allow-Origin"] == "http://localhost:3000")
    }

    @Test func `returnTo takes the browser back, where the client may`() throws {
        let bench = try Self.bench()
        let back = bench.get("/v2/logout?client_id=spa&returnTo=http://localhost:3000/bye")
        #expect(back.status == .seeOther && back.headers["Location"] == "http://localhost:3000/bye")
        #expect(bench.get("/v2/logout?client_id=spa&returnTo=http://evil.example/").status == .badRequest)
    }

    @Test func `without the setting nobody answers there`() throws {
        let bench = try Self.bench("")
        for path in [
            "/.well-known/openid-configuration", Self.request, "/userinfo", "/v2/logout", "/oauth/v2/logout",
        ] {
            #expect(bench.get(path).status == .notFound)
        }
    }
}
