import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// Audiences of access tokens. Sources: RFC 8707; RFC 9068 §3; Token Server documentation, web clients API.
struct ResourceTests {
    private static let (api, other) = ("https://api.example", "https://other.example")

    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens(web: #""access_token_format": "jwt""#) }

    private func audience(_ answer: Response) throws -> JSONValue? {
        try bench.verified(answer.fields["access_token"]).claims["aud"]
    }

    @Test func `a token is for the client's audiences, where nobody chooses`() throws {
        #expect(try audience(bench.redeem(bench.logIn())) == [.string(Self.api), .string(Self.other)])
        let own = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("scope", "read")], as: "machine")
        // Without audiences it is for the server itself. RFC 9068 §3.
        #expect(try audience(own) == "http://localhost:8420/oauth")
    }

    // RFC 8707 §2.2
    @Test func `a code and a refresh token bring a token for less, and never for more`() throws {
        let code = try bench.logIn { $0.audience = [Self.api, Self.other] }
        let first = bench.redeem(code, [("resource", Self.other)])
        #expect(try audience(first) == .string(Self.other))
        // What was left out is still granted.
        let second = bench.refresh(first.fields["refresh_token"], [("resource", Self.api)])
        #expect(try audience(second) == .string(Self.api))
        let both = bench.refresh(
            second.fields["refresh_token"], [("resource", Self.api), ("resource", Self.other)])
        #expect(try audience(both) == [.string(Self.api), .string(Self.other)])
    }

    @Test func `what was not granted is refused, and nothing is spent`() throws {
        let code = try bench.logIn { $0.audience = [Self.api] }
        #expect(bench.redeem(code, [("resource", Self.other)]).refusal == "400 invalid_target")
        #expect(bench.explanation?.contains("https://other.example") == true)
        let token = bench.redeem(code).fields["refresh_token"]
        #expect(bench.refresh(token, [("resource", "https://x.example")]).refusal == "400 invalid_target")
        #expect(try audience(bench.refresh(token)) == .string(Self.api))
    }

    @Test(arguments: ["client_credentials", "password"])
    func `a grant without a browser takes a resource`(_ grant: String) throws {
        let form = [
            ("grant_type", grant), ("username", "alice"), ("password", "wonderland"), ("scope", "read"),
        ]
        #expect(
            try audience(bench.ask("/token", form + [("resource", Self.other)])) == .string(Self.other))
        let refused = bench.ask("/token", form + [("resource", "https://x.example")])
        #expect(refused.refusal == "400 invalid_target")
    }

    @Test func `a device asks for a resource at its start, and gets a token for it`() throws {
        let form = [("scope", "openid read"), ("resource", Self.other)]
        let device = bench.ask("/device_authorization", form).fields
        try bench.server.approveDevice(
            device["user_code"] ?? "", DeviceApproval(subject: TokenCast.alice), from: "127.0.0.1")
        let answer = bench.ask(
            "/token", [("grant_type", GrantType.deviceCode), ("device_code", device["device_code"] ?? "")])
        #expect(try audience(answer) == .string(Self.other))

        let refused = bench.ask(
            "/device_authorization", [("scope", "read"), ("resource", "https://x.example")])
        #expect(refused.refusal == "400 invalid_target")
    }

    @Test func `a waiting device's audience is exported and loaded again`() throws {
        _ = bench.ask("/device_authorization", [("scope", "read"), ("resource", Self.other)])
        let exported = try bench.world.database.read {
            try AuthorizationServer.export(server: MountedServer.name, from: $0)
        }
        #expect(exported.deviceRequests?.map(\.audience) == [[Self.other]])
    }

    @Test
    func `the authorization endpoint and a pushed request refuse a resource that is none of the client's`()
        throws
    {
        let bench = try Cast.bench(
            """
            {"client_id": "caller", "client_secret": "c", "scope": "openid", "redirect_uris": ["\(Cast.callback)"],
             "audiences": ["\(Self.api)", "\(Self.other)"], "access_token_format": "jwt"}
            """)
        let browser = Browser(bench)
        let refused = browser.open(
            Cast.request(["client_id": "caller", "scope": "openid", "resource": "https://x.example"]))
        #expect(refused.answer["error"] == "invalid_target")
        #expect(bench.explanation?.contains("https://api.example") == true)
        let pushed = bench.form(
            "/par",
            [
                "response_type": "code", "redirect_uri": Cast.callback, "scope": "openid",
                "resource": "https://x.example",
            ], headers: ["Authorization": TestBench<MountedServer>.basic("caller", "c")])
        #expect(pushed.refusal == "400 invalid_target")

        let code = browser.authorize(["client_id": "caller", "scope": "openid", "resource": Self.other])
            .answer["code"]
        let answer = bench.form(
            "/token",
            ["grant_type": "authorization_code", "code": code ?? "", "redirect_uri": Cast.callback],
            headers: ["Authorization": TestBench<MountedServer>.basic("caller", "c")])
        #expect(try bench.verified(answer.fields["access_token"]).claims["aud"] == .string(Self.other))
    }

    @Test func `an audience with white space is refused in the fixtures`() {
        #expect(throws: (any Error).self) {
            try TestBench.mounted(
                #""clients": [{"client_id": "a", "client_secret": "b", "audiences": ["x y"]}]"#)
        }
    }
}
