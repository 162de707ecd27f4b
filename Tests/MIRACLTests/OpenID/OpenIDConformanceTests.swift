import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import MIRACL

/// The provider as its relying parties see it, with a phone behind.
@Suite struct OpenIDConformanceTests {
    private func bench() throws -> TestBench<MIRACL> { try TestProject.bench("\"force_activation\": true,") }

    private static let basic = "Basic " + Base64.encode(Array("shop:shop-secret".utf8))

    private func trade(
        _ bench: TestBench<MIRACL>, _ code: String, redirectURI: String = "https://shop.example/login",
        as authorization: String = basic
    ) -> Response {
        let form = Form.encode([
            ("grant_type", "authorization_code"), ("code", code), ("redirect_uri", redirectURI),
        ])
        return bench.send(
            .post, "/miracl/oidc/token", body: Array(form.utf8),
            headers: [
                "Authorization": authorization, "Content-Type": "application/x-www-form-urlencoded",
            ])
    }

    /// A code as the browser got it.
    private func code(_ bench: TestBench<MIRACL>) throws -> String {
        let (phone, browser) = (try Phone(on: bench), try Browser(bench))
        _ = try phone.signIn(browser.accessID)
        return try #require(try browser.code)
    }

    @Test func `the metadata names the endpoints and what they can`() throws {
        let metadata = try bench().get("/miracl/.well-known/openid-configuration").members
        let base = "http://localhost:8420/miracl"

        #expect(metadata["issuer"]?.string == base)
        #expect(metadata["authorization_endpoint"]?.string == base + "/authorize")
        #expect(metadata["token_endpoint"]?.string == base + "/oidc/token")
        #expect(metadata["userinfo_endpoint"]?.string == base + "/oidc/userinfo")
        #expect(metadata["jwks_uri"]?.string == base + "/oidc/certs")
        #expect(metadata["response_types_supported"] == ["code"])
        #expect(metadata["subject_types_supported"] == ["public"])
        #expect(metadata["id_token_signing_alg_values_supported"]?.strings?.contains("RS256") == true)
        #expect(
            metadata["token_endpoint_auth_methods_supported"] == [
                "client_secret_basic", "client_secret_post",
            ])
    }

    /// A path as redirect URI is one of this server, by the name under which the phone reached it; the back end may use another.
    @Test func `a code that was made without an access code is traded by whatever name the server has`()
        throws
    {
        let bench = try TestBench(
            MIRACL.self,
            fixtures: """
                { "miracl": { "projects": [ { "id": "blue", "name": "Blue", "force_activation": true,
                    "applications": [ { "client_id": "shop", "client_secret": "shop-secret",
                        "redirect_uris": ["/app/login"] } ] } ] } }
                """)
        let phone = try Phone(on: bench)
        let trade = { (uri: String) in
            let code = try text(phone.authenticate(scope: ["authcode"]).members, "code")
            let form = "grant_type=authorization_code&code=\(code)&redirect_uri=\(uri)"
            return bench.send(
                .post, "/miracl/oidc/token", body: Array(form.utf8),
                headers: [
                    "Authorization": Self.basic, "Content-Type": "application/x-www-form-urlencoded",
                    "Host": "127.0.0.1:9",
                ])
        }
        for uri in ["http://localhost:8420/app/login", "http://127.0.0.1:9/app/login"] {
            let answer = try trade(uri)
            #expect(answer.status == .ok, "\(answer.text) \(bench.explanation ?? "")")
        }
        #expect(try trade("http://evil.example/app/login").members["error"] == "invalid_grant")
    }

    private static let authorize = "/miracl/authorize?" + Browser.authorization

    @Test func `the metadata names the response modes, and each of them brings the code`() throws {
        let bench = try bench()
        let metadata = bench.get("/miracl/.well-known/openid-configuration").members
        #expect(metadata["response_modes_supported"] == ["query", "fragment", "form_post"])
        let phone = try Phone(on: bench)
        for (mode, mark) in [("query", "?"), ("fragment", "#")] {
            let browser = try Browser(
                bench, bench.send(.post, Self.authorize + "&response_mode=" + mode))
            #expect(try phone.signIn(browser.accessID).status == .ok)
            let url = try text(browser.access.members, "redirectURL")
            #expect(url.hasPrefix("https://shop.example/login\(mark)code="), "\(url)")
            let left = bench.get("/miracl/authorize/wait/" + browser.webOTT)
            #expect(left.headers["Location"] == url)
            let code = try #require(Form(url.behind(Character(mark)))["code"])
            #expect(trade(bench, code).status == .ok)
        }
    }

    /// What ASP.NET Core asks by default.
    @Test func `with form_post a page posts code and state to the relying party`() throws {
        let bench = try bench()
        let phone = try Phone(on: bench)
        let shown = bench.get(Self.authorize + "&response_mode=form_post")
        #expect(shown.status == .ok, "\(shown.text)")
        let webOTT = try #require(shown.text.firstMatch(of: /data-ott="([0-9a-f]{32})"/)).1
        let accessID = try #require(
            shown.text.firstMatch(of: /<code id="access-code">([0-9a-f]{32})</)
        ).1
        #expect(try phone.signIn(String(accessID)).status == .ok)

        let access = try bench.post("/miracl/rps/v2/access", ["webOTT": String(webOTT)])
        let wait = "http://localhost:8420/miracl/authorize/wait/\(webOTT)"
        #expect(access.fields["redirectURL"] == wait)
        let page = bench.get(wait.path)
        #expect(page.status == .ok)
        #expect(page.text.contains("<form method=\"post\" action=\"https://shop.example/login\">"))
        #expect(page.text.contains("name=\"state\" value=\"some-state\""))
        let code = try #require(page.text.firstMatch(of: /name="code" value="([^"]+)"/)).1
        #expect(trade(bench, String(code)).status == .ok)
    }

    @Test func `an error goes back in the mode that was asked for, and an unknown mode is refused`() throws {
        let bench = try bench()
        let wrong = Self.authorize.replacing("response_type=code", with: "response_type=token")
        let posted = bench.get(wrong + "&response_mode=form_post")
        #expect(posted.text.contains("name=\"error\" value=\"unauthorized_client\""), "\(posted.text)")
        let unknown = bench.get(Self.authorize + "&response_mode=web_message")
        #expect(unknown.headers["Location"]?.contains("error=invalid_request") == true)
    }

    /// The vendor's library for Python asks for these. Source: OpenID Connect Core 1.0 §3.1.2.1.
    @Test func `scopes that are unknown are ignored, and the journal says which`() throws {
        let bench = try bench()
        let phone = try Phone(on: bench)
        let query = Self.authorize.replacing("openid%20email", with: "openid%20email%20sub%20name")
        let browser = try Browser(bench, bench.send(.post, query))
        let event = bench.journal.first { $0.event == "scopes ignored" }
        #expect(event?.explanation?.hasPrefix("The scopes “sub name” are not known here") == true)
        _ = try phone.signIn(browser.accessID)
        let tokens = trade(bench, try #require(try browser.code)).members
        #expect(tokens["scope"] == "openid email")
        let none = bench.send(.post, Self.authorize.replacing("openid%20email", with: "sub"))
        #expect(none.members["error"] == "invalid_scope")
    }

    @Test func `the ID token names the user, echoes the nonce, and verifies with the published keys`() throws
    {
        let bench = try bench()

        let answer = trade(bench, try code(bench))

        #expect(answer.status == .ok)
        #expect(answer.members["token_type"] == "Bearer")
        #expect(answer.members["expires_in"] == 900)
        #expect(answer.members["access_token"]?.string != nil)
        let keys = try bench.get("/miracl/oidc/certs").json(JWKS.self)
        let token = try JWT.verify(
            #require(answer.members["id_token"]?.string), keys: keys.keys, at: bench.clock.now)
        #expect(token.header.algorithm == JWSAlgorithm.rs256)
        #expect(token.header.keyID != nil)
        let claims = try token.decode(JSONValue.self)
        #expect(claims["iss"] == "http://localhost:8420/miracl")
        #expect(claims["sub"] == "ada@example.org")
        #expect(claims["aud"] == "shop")
        #expect(claims["nonce"] == "some-nonce")
        #expect(claims["amr"] == ["token"])
        let now = Int(bench.clock.now.timeIntervalSince1970)
        #expect(claims["iat"]?.integer == now)
        #expect(claims["exp"]?.integer == now + 900)
    }

    @Test func `userinfo tells the user, by the scopes of the request`() throws {
        let bench = try bench()
        let token = try #require(trade(bench, code(bench)).members["access_token"]?.string)

        for method in [Request.Method.get, .post] {
            let info = bench.send(
                method, "/miracl/oidc/userinfo", headers: ["Authorization": "Bearer " + token])
            #expect(info.status == .ok)
            #expect(info.headers["Content-Type"] == "application/json")
            #expect(
                info.json == [
                    "sub": "ada@example.org", "email": "ada@example.org", "email_verified": true,
                ])
        }
        #expect(bench.get("/miracl/oidc/userinfo").status == .unauthorized)
    }

    @Test func `userinfo tells the identity to who asks for it`() throws {
        let bench = try bench()
        let phone = try Phone(on: bench)
        let query = Browser.authorization.replacing("openid%20email", with: "openid%20mpin_id%20hash_mpin_id")
        let browser = try Browser(bench, bench.send(.post, "/miracl/authorize?" + query))
        _ = try phone.signIn(browser.accessID)
        let code = try #require(try browser.code)
        let token = try #require(trade(bench, code).members["access_token"]?.string)

        let info = bench.get("/miracl/oidc/userinfo", headers: ["Authorization": "Bearer " + token])

        #expect(
            info.json == [
                "sub": "ada@example.org", "mpin_id": .string(phone.mpinID),
                "hash_mpin_id": .string(
                    Hex.encode(Digest.sha256(Hex.decode(phone.mpinID) ?? []))),
            ])
    }

    @Test func `a code is good once`() throws {
        let bench = try bench()
        let code = try code(bench)

        #expect(trade(bench, code).status == .ok)
        let again = trade(bench, code)

        #expect(again.status == .badRequest)
        #expect(again.members["error"] == "invalid_grant")
    }

    @Test func `a code is good for a minute`() throws {
        let bench = try bench()
        let code = try code(bench)
        try bench.clock.advance(seconds: 60)

        #expect(trade(bench, code).members["error"] == "invalid_grant")
    }

    @Test func `a code wants its own redirect URI and its own client`() throws {
        let bench = try bench()
        let code = try code(bench)

        #expect(
            trade(bench, code, redirectURI: "https://shop.example/other").members["error"]
                == "invalid_grant")
        let wrong = trade(bench, code, as: "Basic " + Base64.encode(Array("shop:guess".utf8)))
        #expect(wrong.status == .unauthorized)
        #expect(wrong.members["error"] == "invalid_client")
    }

    @Test(arguments: [
        "https://shop.example/login/", "https://shop.example/LOGIN", "https://shop.example/login?x=1",
        "http://shop.example/login", "https://shop.example.evil/login",
    ])
    func `a redirect URI is compared as it is`(_ uri: String) throws {
        let bench = try bench()
        let query = "client_id=shop&response_type=code&scope=openid&redirect_uri=" + uri.percentEncoded

        let page = bench.get("/miracl/authorize?" + query)

        #expect(page.status == .badRequest)
        #expect(page.headers["Location"] == nil)
    }
}
