import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Hanko

struct ProfileProviderTests {
    private static let config = #"""
        "third_party": {
            "allowed_redirect_urls": ["https://app.example/**"],
            "providers": {
                "google": {
                    "enabled": true, "client_id": "c", "authorization_endpoint": "https://provider.example/authorize",
                    "token_endpoint": "https://provider.example/token",
                    "userinfo_endpoint": "https://provider.example/userinfo",
                },
            },
        }
        """#
    private static let verifier = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"

    @Test func `a provider is connected`() throws {
        let bench = try TestBench.profile(config: Self.config)
        var client = try bench.profileFlow()
        #expect(
            client.inputs(of: "connect_thirdparty_oauth_provider") == [
                "provider": [
                    "name": "provider", "type": "string", "required": true, "hidden": true,
                    "allowed_values": [["value": "google", "name": "Google"]],
                ],
                "redirect_to": ["name": "redirect_to", "type": "string", "required": true, "hidden": true],
                "code_verifier": ["name": "code_verifier", "type": "string", "hidden": true],
            ])

        try client.run(
            "connect_thirdparty_oauth_provider",
            [
                "provider": "google", "redirect_to": "https://app.example/profile",
                "code_verifier": .string(Self.verifier),
            ])
        #expect(client.state == "thirdparty")
        #expect(client.status == 200)
        let url = try #require(client.payload["redirect_url"]?.string)
        #expect(url.hasPrefix("https://provider.example/authorize?"))
        // RFC 7636 appendix B
        #expect(url.contains("code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM"))
        #expect(
            client.response.headers.values(of: "Set-Cookie").first?.hasPrefix("hanko_thirdparty_state=")
                == true)
        let states = try bench.world.database.read { try $0.all(ThirdPartyState.self) }
        #expect(states.map(\.userID) == [Ada.id])
        #expect(states.map(\.isFlow) == [true])

        // The provider sends the browser back, and it brings the token.
        try bench.world.database.write { db in
            let now = bench.clock.now
            try db.insert(
                Identity(
                    id: AdaHas.identityID, userID: Ada.id, provider: "google", subject: "g-1",
                    emailID: nil, claims: [:], createdAt: now, updatedAt: now))
            try db.insert(
                ThirdPartyToken(
                    value: "token", userID: Ada.id, identityID: AdaHas.identityID, isFlow: true,
                    isNewUser: false, codeVerifier: Self.verifier, expiresAt: now.addingTimeInterval(60)))
        }
        try client.run("exchange_token", ["token": "token", "code_verifier": .string(Self.verifier)])
        client.expectProfile()
        #expect(
            client.payload["user"]?["identities"] == [
                ["id": "g-1", "provider": "Google", "identity_id": .string(AdaHas.identityID)]
            ])
        #expect(
            bench.suspends(
                "connect_thirdparty_oauth_provider", because: "every provider is connected already"))
    }

    @Test func `a browser that gave up at the provider comes back`() throws {
        let bench = try TestBench.profile(config: Self.config)
        var client = try bench.profileFlow()

        try client.run(
            "connect_thirdparty_oauth_provider",
            ["provider": "google", "redirect_to": "https://app.example/profile"])
        try client.run("back")
        client.expectProfile()
    }

    @Test(
        arguments: [
            (["redirect_to": "https://app.example/"], "provider", "value_missing_error"),
            (
                ["provider": "github", "redirect_to": "https://app.example/"], "provider",
                "value_invalid_error"
            ),
            (
                ["provider": "google", "redirect_to": "https://evil.example/"], "redirect_to",
                "value_invalid_error"
            ),
            (["provider": "google"], "redirect_to", "value_missing_error"),
        ] as [(JSON, String, String)])
    func `a provider and a place to return to are required`(inputs: JSON, input: String, error: String) throws
    {
        let bench = try TestBench.profile(config: Self.config)
        var client = try bench.profileFlow()

        try client.run("connect_thirdparty_oauth_provider", inputs)
        #expect(client.state == "profile_init")
        #expect(client.status == 400)
        #expect(client.inputError(input, of: "connect_thirdparty_oauth_provider") == error)
    }

    @Test func `without providers there is nothing to connect`() throws {
        let bench = try TestBench.profile()

        _ = try bench.profileFlow()
        #expect(
            bench.suspends(
                "connect_thirdparty_oauth_provider",
                because: "no provider is enabled under third_party.providers"))
        #expect(
            bench.suspends(
                "disconnect_thirdparty_oauth_provider", because: "the user has no account at a provider"))
    }

    @Test func `a provider is disconnected, though the input is published nowhere`() throws {
        let bench = try TestBench.profile(config: Self.config, ada: AdaHas.email, AdaHas.identity)
        var client = try bench.profileFlow()
        #expect(client.inputs(of: "disconnect_thirdparty_oauth_provider") == [:])

        for wrong in ["", Ada.id] {
            try client.run("disconnect_thirdparty_oauth_provider", ["identity_id": .string(wrong)])
            #expect(client.status == 400)
            #expect(client.error == "form_data_invalid_error")
        }
        try client.run(
            "disconnect_thirdparty_oauth_provider", ["identity_id": .string(AdaHas.identityID)])
        client.expectProfile()
        #expect(try bench.requireAda().identities.isEmpty)
        #expect(client.payload["user"]?["identities"] == nil)
        #expect(client.actions.contains("connect_thirdparty_oauth_provider"))
    }
}
