import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What the endpoints refuse before they ask a provider. The whole way is driven over HTTP by the acceptance tests.
@Suite struct ThirdPartyRouteTests {
    /// A provider whose endpoints are known, so that its page needs no network.
    private static let config = """
        "third_party": {
            "custom_providers": {"acme": {
                "enabled": true, "display_name": "Acme ID", "client_id": "hanko", "secret": "s",
                "authorization_endpoint": "https://id.example/authorize",
                "token_endpoint": "https://id.example/token", "userinfo_endpoint": "https://id.example/me",
                "scopes": ["openid", "email"],
            }, "idle": {"enabled": false}},
            "providers": {"google": {"enabled": false}},
            "error_redirect_url": "http://localhost:3000/error",
            "allowed_redirect_urls": ["http://localhost:3000/**"],
        },
        """

    private func bench() throws -> TestBench<Hanko> { try TestBench.classic(config: Self.config) }

    private func start(_ bench: TestBench<Hanko>, headers: Headers = [:]) -> Response {
        bench.get(
            "/hanko/thirdparty/auth?provider=custom_acme&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fback",
            headers: headers)
    }

    private func query(_ response: Response) throws -> Form {
        let location = try #require(response.headers["Location"])
        return Form(String(location.drop { $0 != "?" }.dropFirst()))
    }

    @Test func `the configuration names the providers`() throws {
        let text = try bench().get("/hanko/.well-known/config").text
        #expect(text.contains("\"providers\":[\"Acme ID\"]"))
    }

    @Test func `the browser is sent to the provider with a state that its cookie carries`() throws {
        let response = start(try bench())

        #expect(response.status == .temporaryRedirect)
        #expect(response.headers["Location"]?.hasPrefix("https://id.example/authorize?") == true)
        let query = try query(response)
        let state = try #require(query["state"])
        #expect(query["client_id"] == "hanko" && query["response_type"] == "code")
        #expect(query["scope"] == "openid email")
        #expect(query["redirect_uri"] == "http://localhost:8420/hanko/thirdparty/callback")
        #expect(
            response.headers.values(of: "Set-Cookie") == [
                "hanko_thirdparty_state=\(state); Path=/; Max-Age=300; HttpOnly; Secure; SameSite=Lax"
            ])
    }

    // Source: Hanko 2.7, tests of GET /thirdparty/auth.
    @Test(arguments: [
        (
            "redirect_to=http://localhost:3000/back", "code=400, message=Provider is a required field",
            "Expected the parameter “provider”."
        ),
        (
            "provider=custom_acme", "code=400, message=RedirectTo is a required field",
            "Expected the parameter “redirect_to”."
        ),
        (
            "provider=UnknownProvider&redirect_to=http://localhost:3000/back",
            "unknown provider: unknownprovider", "only custom_acme"
        ),
        (
            "provider=Google&redirect_to=http://localhost:3000/back", "google provider is disabled",
            "only custom_acme"
        ),
        (
            "provider=custom_idle&redirect_to=http://localhost:3000/back",
            "provider custom_idle is disabled", "only custom_acme"
        ),
        (
            "provider=custom_acme&redirect_to=http://evil.test/back",
            "redirect to 'http://evil.test/back' not allowed", "allowed_redirect_urls has"
        ),
        (
            "provider=none&redirect_to=http://evil.test/back",
            "redirect to 'http://evil.test/back' not allowed", "allowed_redirect_urls has"
        ),
    ])
    func `a start that cannot be sends the browser back with the error of the original`(
        query: String, description: String, told: String
    ) throws {
        let bench = try bench()

        let plain = bench.get("/hanko/thirdparty/auth?" + query)
        #expect(plain.status == .temporaryRedirect)
        #expect(plain.headers["Location"]?.hasPrefix("http://localhost:3000/error?") == true)
        #expect(try self.query(plain)["error"] == "invalid_request")
        #expect(try self.query(plain)["error_description"] == description)
        #expect(bench.events.contains { $0.explanation?.contains(told) == true })
        let referred = bench.get(
            "/hanko/thirdparty/auth?" + query, headers: ["Referer": "http://localhost:3000/login?x=1"])
        #expect(
            referred.headers["Location"]?.hasPrefix("http://localhost:3000/login?x=1&error=invalid_request&")
                == true)
    }

    @Test func `without a place to send the browser to, the answer is 400`() throws {
        let bench = try TestBench.classic()
        let response = bench.get("/hanko/thirdparty/auth?provider=google&redirect_to=http://localhost:3000")
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "redirect to 'http://localhost:3000' not allowed"))
    }

    @Test(arguments: ["custom_acme", "custom_ACME", "Custom_Acme"])
    func `names of providers are read without regard to case`(name: String) throws {
        let response = try bench().get(
            "/hanko/thirdparty/auth?provider=\(name)&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Fback")
        #expect(response.headers["Location"]?.hasPrefix("https://id.example/authorize?") == true)
    }

    @Test func `a custom provider may be written in capitals in the configuration`() throws {
        let bench = try TestBench.classic(config: Self.config.replacing("\"acme\"", with: "\"Acme\""))
        #expect(start(bench).headers["Location"]?.hasPrefix("https://id.example/authorize?") == true)
    }

    @Test func `prompt and acr_values of a provider go to its page`() throws {
        let more = #""prompt": "select_account", "acr_values": ["gold", "silver"], "scopes""#
        let bench = try TestBench.classic(config: Self.config.replacing("\"scopes\"", with: more))
        let query = try query(start(bench))
        #expect(query["prompt"] == "select_account")
        #expect(query["acr_values"] == "gold silver")
        #expect(try self.query(start(self.bench()))["prompt"] == nil)
    }

    @Test func `the browser may be sent to the error_redirect_url too`() throws {
        let response = try bench().get(
            "/hanko/thirdparty/auth?provider=custom_acme&redirect_to=http%3A%2F%2Flocalhost%3A3000%2Ferror")
        #expect(response.headers["Location"]?.hasPrefix("https://id.example/authorize?") == true)
    }

    @Test func `a state counts once, with its cookie, for five minutes`() throws {
        let bench = try bench()
        func callback(_ state: String, cookie: String?) throws -> [String?] {
            let response = bench.get(
                "/hanko/thirdparty/callback?error=access_denied&state=\(state)",
                headers: cookie.map { ["Cookie": "hanko_thirdparty_state=\($0)"] } ?? [:])
            #expect(response.status == .temporaryRedirect)
            return [try query(response)["error"], try query(response)["error_description"]]
        }

        let state = try #require(try query(start(bench))["state"])
        #expect(try callback(state, cookie: state) == ["access_denied", nil])
        #expect(try callback(state, cookie: state) == ["invalid_request", "could not decode state"])
        #expect(bench.events.contains { $0.explanation?.contains("already used") == true })
        let other = try #require(try query(start(bench))["state"])
        #expect(
            try callback(other, cookie: nil) == ["invalid_request", "expected state must not be empty"])
        #expect(bench.events.contains { $0.explanation?.contains("did not come back") == true })
        let third = try #require(try query(start(bench))["state"])
        #expect(try callback(third, cookie: other) == ["invalid_request", "could not verify state"])
        let late = try #require(try query(start(bench))["state"])
        try bench.clock.advance(seconds: 300)
        #expect(try callback(late, cookie: late) == ["invalid_request", "state is expired"])
        #expect(bench.events.contains { $0.explanation?.contains("expired 0 s ago") == true })
        #expect(try callback("", cookie: nil) == ["invalid_request", "State is a required field"])
    }

    // Source: Hanko 2.7, tests of GET /thirdparty/callback.
    @Test(arguments: [
        (ThirdPartyRefusal.codeMissing, "invalid_request", "auth code missing from request"),
        (
            .exchangeFailed("x"), "invalid_request", "could not exchange authorization code for access token"
        ),
        (.userDataMissing("x"), "invalid_request", "could not retrieve user data from provider"),
        (
            .userConflict("a@b.test", userID: Ada.id), "user_conflict",
            "third party account linking for existing user with same email disallowed"
        ),
        (
            .multipleAccounts("a@b.test", userID: Ada.id), "multiple_accounts",
            "cannot identify associated user: 'a@b.test' is used by multiple accounts"
        ),
        (.addressUnverified("a@b.test"), "unverified_email", "third party provider email must be verified"),
        (.tooManyAddresses(limit: 1), "email_maxnum", "max number of email addresses reached"),
        (.signupOff, "signup_disabled", "account signup is disabled"),
        (.identityTaken(userID: Ada.id), "invalid_request", "identity already exists for a different user"),
    ])
    func `a fault of the callback has code and text of the original`(
        fault: ThirdPartyRefusal, code: String, description: String
    ) {
        #expect(fault.code == code)
        #expect(fault.description == description)
    }

    @Test func `a form from the provider becomes the same query`() throws {
        let bench = try bench()
        let response = bench.send(
            .post, "/hanko/thirdparty/callback", body: Array("code=a%20b&state=s&ignored=1".utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])
        #expect(response.status == .seeOther)
        #expect(
            response.headers["Location"]
                == "http://localhost:8420/hanko/thirdparty/callback?code=a%20b&state=s")
    }

    @Test func `a token is traded once, within its minute, three times a minute`() throws {
        let bench = try bench()
        func give(_ value: String, isFlow: Bool = false) throws {
            try bench.world.database.write { db in
                let identity = Identity(
                    id: "c0000000-0000-4000-8000-0000000000d1", userID: Ada.id, provider: "custom_acme",
                    subject: "a", emailID: nil, claims: .object([:]), createdAt: bench.time.now,
                    updatedAt: bench.time.now)
                if try db.identity(identity.id) == nil {
                    try db.insert(identity)
                }
                try db.insert(
                    ThirdPartyToken(
                        value: value, userID: Ada.id, identityID: identity.id, isFlow: isFlow,
                        isNewUser: false, codeVerifier: nil,
                        expiresAt: bench.clock.now.addingTimeInterval(60)))
            }
        }
        func trade(_ value: String) throws -> Response {
            try bench.post("/hanko/token", ["value": value])
        }

        try give("one")
        let traded = try trade("one")
        #expect(traded.status == .ok && traded.text == "{\"user_id\":\"\(Ada.id)\"}\n")
        #expect(traded.sessionToken != nil)
        #expect(traded.headers["X-RateLimit-Remaining"] == "2")
        let again = try trade("one")
        #expect(again.status == .notFound && again.text == refusal(404, "token not found"))
        try give("two", isFlow: true)
        #expect(try trade("two").status == .notFound)
        #expect(bench.explanation?.contains("exchange_token") == true)
        #expect(try trade("two").status == .tooManyRequests)
        try give("three")
        try bench.clock.advance(seconds: 60)
        let late = try trade("three")
        #expect(late.status == .unprocessableContent)
        #expect(late.text == refusal(422, "token has expired"))
        let empty = try bench.post("/hanko/token", [String: String]())
        #expect(empty.status == .badRequest && empty.text == refusal(400, "value is a required field"))
    }
}
