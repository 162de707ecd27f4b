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
            }},
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

    @Test(arguments: [
        ("redirect_to=http://localhost:3000/back", "Expected the parameter \"provider\"."),
        ("provider=custom_none&redirect_to=http://localhost:3000/back", "only custom_acme"),
        ("provider=custom_acme", "Expected the parameter \"redirect_to\"."),
        ("provider=custom_acme&redirect_to=http://evil.test/back", "allowed_redirect_urls has"),
    ])
    func `a start that cannot be sends the browser back with an error`(query: String, told: String) throws {
        let bench = try bench()
        let error =
            "error=invalid_request&error_description=The%20sign-in%20was%20refused%3A%20invalid%20request."

        let plain = bench.get("/hanko/thirdparty/auth?" + query)
        #expect(plain.status == .temporaryRedirect)
        #expect(plain.headers["Location"] == "http://localhost:3000/error?" + error)
        #expect(bench.events.contains { $0.explanation?.contains(told) == true })
        let referred = bench.get(
            "/hanko/thirdparty/auth?" + query, headers: ["Referer": "http://localhost:3000/login?x=1"])
        #expect(referred.headers["Location"] == "http://localhost:3000/login?x=1&" + error)
    }

    @Test func `without a place to send the browser to, the answer is 400`() throws {
        let bench = try TestBench.classic()
        let response = bench.get("/hanko/thirdparty/auth?provider=google&redirect_to=http://localhost:3000")
        #expect(response.status == .badRequest)
        #expect(response.text == refusal(400, "The sign-in was refused: invalid request."))
    }

    @Test func `a state counts once, with its cookie, for five minutes`() throws {
        let bench = try bench()
        func callback(_ state: String, cookie: String?) throws -> String? {
            let response = bench.get(
                "/hanko/thirdparty/callback?error=access_denied&state=\(state)",
                headers: cookie.map { ["Cookie": "hanko_thirdparty_state=\($0)"] } ?? [:])
            #expect(response.status == .temporaryRedirect)
            return try query(response)["error"]
        }

        let state = try #require(try query(start(bench))["state"])
        #expect(try callback(state, cookie: state) == "access_denied")
        #expect(try callback(state, cookie: state) == "invalid_request")
        #expect(bench.events.contains { $0.explanation?.contains("used already") == true })
        let other = try #require(try query(start(bench))["state"])
        #expect(try callback(other, cookie: nil) == "invalid_request")
        #expect(bench.events.contains { $0.explanation?.contains("did not come back") == true })
        let late = try #require(try query(start(bench))["state"])
        try bench.clock.advance(seconds: 300)
        #expect(try callback(late, cookie: late) == "invalid_request")
        #expect(bench.events.contains { $0.explanation?.contains("expired 0 s ago") == true })
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
                if try IdentityStore.identity(identity.id, in: db) == nil {
                    try IdentityStore.insert(identity, into: db)
                }
                try ThirdPartyStore.insert(
                    ThirdPartyToken(
                        value: value, userID: Ada.id, identityID: identity.id, isFlow: isFlow,
                        isNewUser: false, codeVerifier: nil,
                        expiresAt: bench.clock.now.addingTimeInterval(60)),
                    into: db)
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
