import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// The grant `authorization_code`. Sources: RFC 6749 §4.1.3; RFC 7636 §4.6; the conformance modules that the tests are named after.
struct CodeGrantTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    @Test func `a code brings an access token, a refresh token and an ID token, not to be stored`() throws {
        let answer = bench.redeem(try bench.logIn())

        #expect(answer.status == .ok)
        #expect(answer.headers["Content-Type"] == "application/json")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Pragma"] == "no-cache")
        #expect(answer.fields["token_type"] == "Bearer")
        #expect(answer.fields["expires_in"] == "3600")
        #expect(answer.fields["scope"] == "openid profile email read")
        #expect(
            Set(answer.fields.keys) == [
                "access_token", "token_type", "expires_in", "scope", "refresh_token", "id_token",
            ])
        #expect(answer.fields["access_token"]?.wholeMatch(of: /[0-9A-F]{64}/) != nil)
        #expect(answer.fields["refresh_token"]?.wholeMatch(of: /[0-9A-F]{64}/) != nil)
    }

    @Test func `oidcc-codereuse: a code that comes again is refused, and what it brought is dead`() throws {
        let code = try bench.logIn()
        let first = bench.redeem(code).fields

        #expect(bench.redeem(code).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("was used 0 s ago") == true)
        #expect(bench.userinfo(first["access_token"]).status == .unauthorized)
        #expect(bench.explanation?.contains("its code or refresh token was used twice") == true)
        #expect(bench.refresh(first["refresh_token"]).refusal == "400 invalid_grant")
    }

    @Test func `oidcc-codereuse-30seconds: half a minute later as well`() throws {
        let code = try bench.logIn()
        let first = bench.redeem(code).fields
        try bench.clock.advance(seconds: 30)

        #expect(bench.redeem(code).refusal == "400 invalid_grant")
        #expect(!bench.isActive(first["access_token"]))
    }

    @Test func `attempt-reuse-authorization-code-after-one-second`() throws {
        let code = try bench.logIn()
        #expect(bench.redeem(code).status == .ok)
        try bench.clock.advance(seconds: 1)

        #expect(bench.redeem(code).refusal == "400 invalid_grant")
    }

    @Test func `a code that comes again after its time is still known as used`() throws {
        let code = try bench.logIn()
        let first = bench.redeem(code).fields
        try bench.clock.advance(seconds: 600)

        #expect(bench.redeem(code).refusal == "400 invalid_grant")
        #expect(!bench.isActive(first["access_token"]))
    }

    @Test func `of a hundred requests with one code at the same time one is served`() async throws {
        let code = try bench.logIn()
        let statuses = await withTaskGroup(of: Status.self) { group in
            for _ in 1...100 { group.addTask { bench.redeem(code).status } }
            return await group.reduce(into: [Status]()) { $0.append($1) }
        }

        #expect(statuses.count { $0 == .ok } == 1)
        #expect(statuses.count { $0 == .badRequest } == 99)
    }

    @Test func `a code that nobody knows is refused`() {
        #expect(bench.redeem("made-up").refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("No authorization code has this text") == true)
    }

    @Test
    func
        `ensure-authorization-code-is-bound-to-client: another client gets nothing, the right one still does`()
        throws
    {
        let code = try bench.logIn()

        #expect(bench.redeem(code, as: "other").refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("issued to the client “web”, but “other” tried") == true)
        #expect(bench.redeem(code).status == .ok)
    }

    @Test func `a code is good for its lifetime and not a moment longer`() throws {
        let code = try bench.logIn()
        try bench.clock.advance(seconds: 60)
        #expect(bench.redeem(code).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("expired 0 s ago; it was valid for 60 s") == true)

        let next = try bench.logIn("next")
        try bench.clock.advance(seconds: 59)
        #expect(bench.redeem(next).status == .ok)
    }

    @Test func `the redirect_uri has to come again, letter by letter`() throws {
        let code = try bench.logIn()
        let missing = bench.ask("/token", [("grant_type", "authorization_code"), ("code", code)])
        #expect(missing.refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("expected “https://app.example/cb”") == true)

        let wrong = bench.ask(
            "/token",
            [
                ("grant_type", "authorization_code"), ("code", code),
                ("redirect_uri", "https://app.example/cb/"),
            ])
        #expect(wrong.refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("found “https://app.example/cb/”") == true)
        #expect(bench.redeem(code).status == .ok)
    }

    @Test func `a code of a request without redirect_uri needs none, and takes only one of the client's`()
        throws
    {
        let fields = [("grant_type", "authorization_code")]
        for name in ["none", "own", "foreign"] { _ = try bench.logIn(name, code: { $0.redirectURI = nil }) }

        #expect(bench.ask("/token", fields + [("code", "none")]).status == .ok)
        #expect(bench.redeem("own").status == .ok)
        let foreign = fields + [("code", "foreign"), ("redirect_uri", "https://evil.example/")]
        #expect(bench.ask("/token", foreign).refusal == "400 invalid_grant")
    }

    @Test func `the code itself must be there`() {
        let answer = bench.ask("/token", [("grant_type", "authorization_code"), ("code", "")])
        #expect(answer.refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("“code” is missing or empty") == true)
    }

    @Test func `a login that was ended takes its code with it`() throws {
        let code = try bench.logIn()
        let (server, now) = (bench.server, bench.clock.now)
        try bench.world.database.write { db in
            try server.grants.end(.init(subject: TokenCast.alice), .loggedOut, at: now, in: db)
        }
        #expect(bench.redeem(code).refusal == "400 invalid_grant")
    }

    @Test func `oidcc-server-client-secret-post: the secret may come in the form`() throws {
        let answer = bench.redeem(try bench.logIn(client: "poster"), as: "poster")
        #expect(answer.status == .ok)
        #expect(answer.fields["id_token"] != nil)
    }

    @Test func `a client that may not refresh gets no refresh token`() throws {
        let answer = bench.redeem(try bench.logIn(client: "poster"), as: "poster")
        #expect(answer.fields["refresh_token"] == nil)
    }

    @Test func `a client whose metadata hold refresh tokens back gets one with the scope offline_access`()
        throws
    {
        let bench = try TestBench.tokens(web: #""issues_refresh_tokens": false"#)
        #expect(try bench.loggedIn("plain")["refresh_token"] == nil)
        let offline = try bench.loggedIn("offline") { $0.scope = ScopeList("openid offline_access") }
        #expect(offline["refresh_token"] != nil)
    }

    @Test func `without openid there is no ID token`() throws {
        #expect(try bench.loggedIn { $0.scope = ScopeList("read") }["id_token"] == nil)
    }

    @Test func `the oldest login gives way when a client may have only so many of a user`() throws {
        let bench = try TestBench.tokens(web: #""max_simultaneous_sessions": 2"#)
        let first = try bench.loggedIn("first")
        try bench.clock.advance(seconds: 1)
        let second = try bench.loggedIn("second")
        try bench.clock.advance(seconds: 1)
        let third = try bench.loggedIn("third")

        #expect(!bench.isActive(first["access_token"]))
        #expect(bench.isActive(second["access_token"]))
        #expect(bench.isActive(third["access_token"]))
    }

    // Source: Token Server documentation, web clients API, simultaneous_sessions_allowed.
    @Test func `a client that may have one login has one of each scope`() throws {
        let bench = try TestBench.tokens(web: #""max_simultaneous_sessions": 1"#)
        let first = try bench.loggedIn("first")
        let narrow = try bench.loggedIn("narrow") { $0.scope = ScopeList("openid") }
        #expect(bench.isActive(first["access_token"]))

        let again = try bench.loggedIn("again") { $0.scope = ScopeList("read email openid profile") }
        #expect(!bench.isActive(first["access_token"]))
        #expect(bench.isActive(narrow["access_token"]) && bench.isActive(again["access_token"]))
    }
}
