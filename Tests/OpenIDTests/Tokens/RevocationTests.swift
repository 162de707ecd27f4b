import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Revocation, a test for each sentence. Source: RFC 7009.
struct RevocationTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func revoke(
        _ token: String?, as client: String = "web", _ more: [(String, String)] = []
    ) -> Response {
        bench.ask("/revoke", [("token", token ?? "")] + more, as: client)
    }

    @Test func `a revoked access token is dead, its refresh token lives`() throws {
        let login = try bench.loggedIn()
        let answer = revoke(login["access_token"])
        #expect(answer.status == .ok)
        #expect(answer.bytes.isEmpty)
        #expect(bench.userinfo(login["access_token"]).refusal == "401 invalid_token")
        #expect(bench.explanation?.contains("was revoked 0 s ago") == true)
        #expect(bench.refresh(login["refresh_token"]).status == .ok)
    }

    @Test func `a revoked refresh token takes all tokens of the login with it`() throws {
        let login = try bench.loggedIn()
        let refreshed = bench.refresh(login["refresh_token"]).fields
        #expect(revoke(refreshed["refresh_token"]).status == .ok)
        for token in [login["access_token"], refreshed["access_token"], refreshed["refresh_token"]] {
            #expect(!bench.isActive(token))
        }
        #expect(bench.refresh(refreshed["refresh_token"]).refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("The refresh token was revoked") == true)
    }

    @Test func `an unknown token is a success too`() {
        #expect(revoke("made-up").status == .ok)
        #expect(revoke("a.b.c").status == .ok)
        #expect(revoke("made-up").bytes.isEmpty)
    }

    @Test func `a token can be revoked twice`() throws {
        let token = try bench.loggedIn()["access_token"]
        #expect(revoke(token).status == .ok)
        #expect(revoke(token).status == .ok)
    }

    @Test func `a token of another client is refused and lives on`() throws {
        let login = try bench.loggedIn()
        #expect(revoke(login["access_token"], as: "other").refusal == "400 invalid_grant")
        #expect(revoke(login["refresh_token"], as: "other").refusal == "400 invalid_grant")
        #expect(bench.explanation?.contains("it stays as it is") == true)
        #expect(bench.isActive(login["access_token"]))
        #expect(bench.isActive(login["refresh_token"]))
    }

    @Test func `a client without credentials names itself`() throws {
        let code = try bench.logIn(client: "app", code: { $0.redirectURI = nil })
        let token = bench.ask("/token", [("grant_type", "authorization_code"), ("code", code)], as: "app")
        #expect(revoke(token.fields["access_token"], as: "app").status == .ok)
        #expect(!bench.isActive(token.fields["access_token"]))
        #expect(bench.form("/revoke", ["token": "x"]).refusal == "401 invalid_client")
    }

    @Test(arguments: ["refresh_token", "nonsense"])
    func `a wrong or unknown hint is ignored`(_ hint: String) throws {
        let token = try bench.loggedIn()["access_token"]
        #expect(revoke(token, [("token_type_hint", hint)]).status == .ok)
        #expect(!bench.isActive(token))
    }

    private func revoke(_ token: String?, _ more: [(String, String)]) -> Response {
        revoke(token, as: "web", more)
    }

    @Test func `without a token the request is wrong`() {
        #expect(revoke("").refusal == "400 invalid_request")
    }

    @Test func `a JWT is revoked by its jti`() throws {
        let bench = try TestBench.tokens(web: #""access_token_format": "jwt""#)
        let token = try bench.loggedIn()["access_token"]
        #expect(bench.ask("/revoke", [("token", token ?? "")]).status == .ok)
        #expect(!bench.isActive(token))
    }
}
