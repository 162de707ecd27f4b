import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

/// What flows do before and after the visit at a provider.
struct ThirdPartyFlowTests {
    /// A provider whose endpoints are known, so that its page needs no network.
    static let config = """
        "third_party": {
            "custom_providers": {"acme": {
                "enabled": true, "display_name": "Acme ID", "client_id": "hanko", "secret": "s",
                "authorization_endpoint": "https://id.example/authorize",
                "token_endpoint": "https://id.example/token", "userinfo_endpoint": "https://id.example/me",
            }},
            "allowed_redirect_urls": ["http://localhost:3000/**"],
        },
        """

    static let order: JSON = [
        "provider": "custom_acme", "redirect_to": "http://localhost:3000/back",
        "code_verifier": "the verifier",
    ]

    /// A login in `thirdparty`.
    static func visiting(_ bench: TestBench<Hanko>) throws -> FlowClient {
        var client = try bench.flow("/login")
        try client.run("thirdparty_oauth", order)
        #expect(client.state == "thirdparty", "\(client.response.text)")
        return client
    }

    /// What the callback leaves behind for Ada.
    static func brought(
        _ bench: TestBench<Hanko>, _ value: String = "the-token", isFlow: Bool = true,
        isNewUser: Bool = false, isVerified: Bool = true
    ) throws {
        let now = bench.clock.now
        try bench.world.database.write { db in
            try db.insert(
                Identity(
                    id: "ada00000-0000-4000-8000-0000000000a1", userID: Ada.id, provider: "custom_acme",
                    subject: "1",
                    emailID: Ada.emailID, claims: [:], createdAt: now, updatedAt: now))
            try db.execute("UPDATE hanko_email SET is_verified = \(isVerified) WHERE id = \(Ada.emailID)")
            try db.insert(
                ThirdPartyToken(
                    value: value, userID: Ada.id, identityID: "ada00000-0000-4000-8000-0000000000a1",
                    isFlow: isFlow, isNewUser: isNewUser, codeVerifier: "the verifier",
                    expiresAt: now.addingTimeInterval(60)))
        }
    }

    @Test func `the flow names the page of the provider and binds it to the browser`() throws {
        let bench = try TestBench.flows(config: Self.config)
        let start = try bench.flow("/login")
        #expect(
            start.input("provider", of: "thirdparty_oauth") == [
                "name": "provider", "type": "string", "required": true, "hidden": true,
                "allowed_values": [["value": "custom_acme", "name": "Acme ID"]],
            ])

        let client = try Self.visiting(bench)
        let url = try #require(client.payload["redirect_url"]?.string)
        let query = Form(String(url.drop { $0 != "?" }.dropFirst()))
        #expect(url.hasPrefix("https://id.example/authorize?"))
        #expect(query["code_challenge_method"] == "S256")
        #expect(
            client.response.headers.values(of: "Set-Cookie") == [
                "hanko_thirdparty_state=\(query["state"] ?? ""); Path=/; Max-Age=300; HttpOnly; Secure; SameSite=None"
            ])
        #expect(client.actions == ["back", "exchange_token"])
        #expect(
            client.inputs(of: "exchange_token") == [
                "token": ["name": "token", "type": "string", "required": true, "hidden": true],
                "code_verifier": ["name": "code_verifier", "type": "string", "hidden": true],
            ])
    }

    @Test(arguments: [
        ("redirect_to", "http://evil.test/", "allowed_redirect_urls has"),
        ("provider", "custom_none", "custom_acme"),
    ])
    func `who may not be visited, or returned to, is an invalid value`(
        input: String, value: String, told: String
    ) throws {
        let bench = try TestBench.flows(config: Self.config)
        var (client, members) = (try bench.flow("/registration"), try #require(Self.order.object))
        members[input] = .string(value)

        try client.run("thirdparty_oauth", .object(members))
        #expect(client.status == 400)
        #expect(client.state == "registration_init")
        #expect(client.inputError(input, of: "thirdparty_oauth") == "value_invalid_error")
        #expect(bench.explanation?.contains(told) == true)
    }

    @Test func `without a provider the action is not offered`() throws {
        let bench = try TestBench.flows()
        #expect(try !bench.flow("/login").actions.contains("thirdparty_oauth"))
        #expect(bench.events.contains { $0.explanation?.contains("no provider is enabled") == true })
    }

    @Test func `the token signs in once, and there is no second factor`() throws {
        let bench = try TestBench.flows(config: Self.config)
        try Self.brought(bench)
        var client = try Self.visiting(bench)

        try client.run("exchange_token", ["token": "the-token", "code_verifier": "another"])
        #expect(client.status == 400)
        #expect(client.state == "thirdparty")
        #expect(client.inputError("code_verifier", of: "exchange_token") == "value_invalid_error")
        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])
        #expect(client.state == "success", "\(client.response.text)")
        #expect(
            client.payload["last_login"] == [
                "login_method": "third_party", "third_party_provider": "custom_acme",
            ])
        #expect(client.payload["claims"]?["amr"] == ["ext:custom_acme"])

        var again = try Self.visiting(bench)
        let (href, token) = (try again.href("back"), again.token)
        try again.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])
        #expect(again.status == 500)
        #expect(again.body == EngineTests.technical)
        try again.post(href, token: token)
        #expect(again.state == "login_init")
    }

    @Test func `an address that the provider did not verify is confirmed by a code`() throws {
        let bench = try TestBench.flows(config: Self.config)
        try Self.brought(bench, isVerified: false)
        var client = try Self.visiting(bench)
        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])

        #expect(client.state == "passcode_confirmation")
        try client.run("verify_passcode", ["code": .string(try client.code())])
        #expect(client.state == "success")
        #expect(client.payload["user"]?["emails"]?.array?.first?["is_verified"] == true)
        #expect(client.payload["last_login"]?["login_method"] == "third_party")
    }

    @Test(arguments: [(false, ["onboarding_email"]), (true, ["onboarding_email", "onboarding_username"])])
    func `what the user lacks is asked for, the address first, as for a login or for a registration`(
        isNewUser: Bool, states: [String]
    ) throws {
        let bench = try TestBench.flows(
            config: Self.config + """
                "email": {"optional": true}, "username": {"enabled": true, "acquire_on_login": false}
                """)
        try Self.brought(bench, isNewUser: isNewUser)
        try bench.world.database.write {
            try $0.execute("DELETE FROM hanko_email WHERE user_id = \(Ada.id)")
        }
        var client = try Self.visiting(bench)
        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])

        for state in states {
            #expect(client.state == state)
            try client.run("skip")
        }
        #expect(client.state == "success")
    }

    @Test func `a token of the classic endpoint, and one that is over, are technical errors`() throws {
        let bench = try TestBench.flows(config: Self.config)
        try Self.brought(bench, isFlow: false)
        var client = try Self.visiting(bench)
        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])
        #expect(client.body == EngineTests.technical)

        let other = try TestBench.flows(config: Self.config)
        try Self.brought(other)
        client = try Self.visiting(other)
        try other.clock.advance(seconds: 60)
        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])
        #expect(client.error == "technical_error")
        #expect(other.explanation?.contains("expired 0 s ago") == true)
    }

    @Test func `tokens are exchanged three times a minute`() throws {
        let bench = try TestBench.flows(config: Self.config)
        try Self.brought(bench)
        var client = try Self.visiting(bench)
        let (href, token) = (try client.href("exchange_token"), client.token)
        try client.post(href, token: token, ["token": "another-token"])
        #expect(client.status == 500)
        try client.post(href, token: token, ["token": "the-token"])
        #expect(client.status == 400)
        try client.run("exchange_token", ["token": "the-token"])
        #expect(client.status == 400)

        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])
        #expect(client.status == 429)
        #expect(client.state == "thirdparty")
        #expect(client.payload == ["retry_after": 60])
    }

    @Test(arguments: [
        ("redirect_to", "http://localhost:3000/" + String(repeating: "a", count: 2048)),
        ("code_verifier", String(repeating: "a", count: 129)),
    ])
    func `what is kept of a sign-in has an end`(input: String, value: String) throws {
        let bench = try TestBench.flows(config: Self.config)
        var (client, members) = (try bench.flow("/login"), try #require(Self.order.object))
        members[input] = .string(value)

        try client.run("thirdparty_oauth", .object(members))
        #expect(client.status == 400)
        #expect(client.state == "login_init")
        #expect(client.inputError(input, of: "thirdparty_oauth") == "value_invalid_error")
    }

    @Test func `an account that was linked by an unverified address waits for a code`() throws {
        let bench = try TestBench.flows(config: Self.config)
        try Self.brought(bench)
        try bench.world.database.write { db in
            var identity = try #require(
                try db.identity("ada00000-0000-4000-8000-0000000000a1"))
            identity.needsProof = true
            try db.update(identity)
        }
        var client = try Self.visiting(bench)
        try client.run("exchange_token", ["token": "the-token", "code_verifier": "the verifier"])
        #expect(client.state == "passcode_confirmation")
        #expect(client.response.headers.values(of: "Set-Cookie").isEmpty)

        try client.run("verify_passcode", ["code": .string(try client.code())])
        #expect(client.state == "success")
        let proved = try bench.world.database.read { db in
            try db.identity("ada00000-0000-4000-8000-0000000000a1")?.needsProof
        }
        #expect(proved == false)
    }
}
