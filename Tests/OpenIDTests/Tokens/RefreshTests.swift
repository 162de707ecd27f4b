import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// The grant `refresh_token`. Sources: RFC 6749 §6; RFC 9700 §4.14.2; OpenID Connect Core 1.0 §12.
struct RefreshTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    @Test
    func `oidcc-refresh-token: new tokens, an ID token of the same login, and nothing for another client`()
        throws
    {
        let first = try bench.loggedIn()
        try bench.clock.advance(seconds: 60)
        let refreshed = bench.refresh(first["refresh_token"])

        #expect(refreshed.status == .ok)
        #expect(refreshed.headers["Cache-Control"] == "no-store")
        #expect(refreshed.fields["token_type"] == "Bearer")
        #expect(refreshed.fields["access_token"] != first["access_token"])
        let (before, after) = try (
            bench.verified(first["id_token"]).claims, bench.verified(refreshed.fields["id_token"]).claims
        )
        for name in ["iss", "sub", "aud", "auth_time", "azp"] { #expect(after[name] == before[name]) }
        #expect(after["iat"]?.integer == (before["iat"]?.integer ?? 0) + 60)
        #expect(after["nonce"] == nil)

        let foreign = bench.refresh(refreshed.fields["refresh_token"], as: "other")
        #expect(foreign.refusal == "400 invalid_grant")
        #expect(foreign.headers["Content-Type"] == "application/json")
    }

    @Test func `each use brings the next refresh token, and the old one is spent`() throws {
        let first = try bench.loggedIn()
        let second = bench.refresh(first["refresh_token"]).fields
        #expect(second["refresh_token"] != first["refresh_token"])
        #expect(bench.refresh(second["refresh_token"]).status == .ok)
        #expect(bench.refresh(first["refresh_token"]).refusal == "400 invalid_grant")
    }

    @Test func `a spent token that comes again ends the whole family`() throws {
        let first = try bench.loggedIn()
        let second = bench.refresh(first["refresh_token"]).fields
        try bench.clock.advance(seconds: 7)

        #expect(bench.refresh(first["refresh_token"]).refusal == "400 invalid_grant")
        #expect(
            bench.explanation?.contains("The client “web” traded this refresh token for a new one 7 s ago")
                == true)
        for token in [first["access_token"], second["access_token"], second["refresh_token"]] {
            #expect(!bench.isActive(token))
        }
        #expect(bench.refresh(second["refresh_token"]).refusal == "400 invalid_grant")
        #expect(
            bench.explanation?.contains("ended, because its code or refresh token was used twice") == true)
    }

    @Test func `a login elsewhere does not suffer from it`() throws {
        let (one, other) = (try bench.loggedIn("one"), try bench.loggedIn("other"))
        _ = bench.refresh(one["refresh_token"])
        _ = bench.refresh(one["refresh_token"])
        #expect(bench.isActive(other["access_token"]))
        #expect(bench.refresh(other["refresh_token"]).status == .ok)
    }

    @Test(arguments: ["RS256", "ES256"])
    func `within the grace window the same tokens are told again`(_ algorithm: String) throws {
        let bench = try TestBench.tokens(
            web: """
                "refresh_token_grace": 30, "id_token_signed_response_alg": "\(algorithm)",
                "access_token_format": "jwt", "access_token_signed_response_alg": "\(algorithm)"
                """)
        let first = try bench.loggedIn()
        let second = bench.refresh(first["refresh_token"])
        try bench.clock.advance(seconds: 29)
        let again = bench.refresh(first["refresh_token"])
        #expect(again.status == .ok)
        #expect(again.bytes == second.bytes)
        #expect(bench.isActive(second.fields["access_token"]))

        try bench.clock.advance(seconds: 1)
        #expect(bench.refresh(first["refresh_token"]).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("after the grace window of 30 s") == true)
        #expect(!bench.isActive(second.fields["access_token"]))
    }

    @Test func `the grace window is not open for another client`() throws {
        let bench = try TestBench.tokens(web: #""refresh_token_grace": 30"#)
        let first = try bench.loggedIn()
        _ = bench.refresh(first["refresh_token"])
        #expect(bench.refresh(first["refresh_token"], as: "other").refusal == "400 invalid_grant")
    }

    @Test func `of a hundred refreshes with one token at the same time one is served`() async throws {
        let token = try bench.loggedIn()["refresh_token"]
        let statuses = await withTaskGroup(of: Status.self) { group in
            for _ in 1...100 { group.addTask { bench.refresh(token).status } }
            return await group.reduce(into: [Status]()) { $0.append($1) }
        }
        #expect(statuses.count { $0 == .ok } == 1)
    }

    @Test func `with a grace window a hundred refreshes at the same time get one answer`() async throws {
        let bench = try TestBench.tokens(
            web: #""refresh_token_grace": 30, "id_token_signed_response_alg": "ES256""#)
        let token = try bench.loggedIn()["refresh_token"]
        let answers = await withTaskGroup(of: [UInt8].self) { group in
            for _ in 1...100 { group.addTask { bench.refresh(token).bytes } }
            return await group.reduce(into: Set<[UInt8]>()) { $0.insert($1) }
        }
        #expect(answers.count == 1)
        #expect(bench.refresh(token).status == .ok)
    }

    @Test func `a refresh may ask for less, and the next refresh token is still good for all`() throws {
        let first = try bench.loggedIn()
        let less = bench.refresh(first["refresh_token"], [("scope", "read")])
        #expect(less.fields["scope"] == "read")
        #expect(less.fields["id_token"] == nil)
        #expect(
            bench.refresh(less.fields["refresh_token"]).fields["scope"] == "openid profile email read")
    }

    @Test func `a refresh may not ask for more, and the token stays good`() throws {
        let first = try bench.loggedIn()
        #expect(
            bench.refresh(first["refresh_token"], [("scope", "read write")]).refusal == "400 invalid_scope")
        #expect(bench.explanation?.contains("The scopes “write” are more than") == true)
        #expect(bench.refresh(first["refresh_token"]).status == .ok)
    }

    @Test func `an unused refresh token dies after its idle lifetime`() throws {
        let bench = try TestBench.tokens(web: #""refresh_token_lifetime": 100"#)
        let first = try bench.loggedIn()
        try bench.clock.advance(seconds: 99)
        let second = bench.refresh(first["refresh_token"])
        #expect(second.status == .ok)
        try bench.clock.advance(seconds: 100)
        #expect(bench.refresh(second.fields["refresh_token"]).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("The refresh token expired 0 s ago") == true)
    }

    @Test func `the last refresh token dies with the absolute lifetime of the first`() throws {
        let bench = try TestBench.tokens(
            web: #""refresh_token_lifetime": 100, "refresh_token_max_lifetime": 150"#)
        let first = try bench.loggedIn()
        try bench.clock.advance(seconds: 90)
        let second = bench.refresh(first["refresh_token"])
        try bench.clock.advance(seconds: 59)
        let third = bench.refresh(second.fields["refresh_token"])
        #expect(third.status == .ok)
        try bench.clock.advance(seconds: 1)
        #expect(bench.refresh(third.fields["refresh_token"]).refusal == "400 invalid_grant")
    }

    @Test func `a refresh token that nobody knows, and an access token in its place`() throws {
        #expect(bench.refresh("made-up").refusal == "400 invalid_grant")
        #expect(bench.refresh(try bench.loggedIn()["access_token"]).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("No refresh token has this text") == true)
        #expect(bench.refresh("").refusal == "400 invalid_request")
    }
}
