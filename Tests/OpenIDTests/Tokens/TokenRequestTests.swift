import HTTP
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// The form of a token request, whatever its grant. Source: RFC 6749 §3.2, §5.2.
struct TokenRequestTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private let basic: Headers = ["Authorization": TestBench<MountedServer>.basic("web", "web secret:%")]

    @Test(arguments: [Request.Method.get, .put, .delete, .patch])
    func `only POST is taken`(_ method: Request.Method) {
        let answer = bench.send(method, "/oauth/token")
        #expect(answer.status == .methodNotAllowed)
        #expect(answer.headers["Allow"] == "POST")
    }

    @Test(arguments: [
        "application/json", "text/plain", "multipart/form-data", "application/x-www-form-urlencodedx",
    ])
    func `only a form is taken`(_ type: String) {
        var headers = basic
        headers["Content-Type"] = type
        let answer = bench.send(
            .post, "/oauth/token", body: Array("grant_type=client_credentials&scope=read".utf8),
            headers: headers)
        #expect(answer.refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("found “\(type)”") == true)
    }

    @Test(arguments: [
        "application/x-www-form-urlencoded; charset=UTF-8", "Application/X-WWW-Form-URLEncoded;a=b",
    ])
    func `parameters of the content type do not matter`(_ type: String) {
        var headers = basic
        headers["Content-Type"] = type
        let answer = bench.send(
            .post, "/oauth/token", body: Array("grant_type=client_credentials&scope=read".utf8),
            headers: headers)
        #expect(answer.status == .ok)
    }

    @Test func `parameters in the query are refused`() {
        let answer = bench.ask("/token?grant_type=client_credentials", [("scope", "read")])
        #expect(answer.refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("found “grant_type” in the query") == true)
    }

    @Test func `a parameter that comes twice is refused`() {
        let answer = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("scope", "read"), ("scope", "write")])
        #expect(answer.refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("“scope” was sent more than once") == true)
    }

    @Test func `a parameter without a value counts as absent`() {
        #expect(bench.ask("/token", [("grant_type", "")]).refusal == "400 invalid_request")
        #expect(bench.explanation?.contains("“grant_type” is missing or empty") == true)
    }

    @Test func `parameters that nobody knows are ignored`() {
        let answer = bench.ask(
            "/token", [("grant_type", "client_credentials"), ("scope", "read"), ("extra", "foobar")])
        #expect(answer.status == .ok)
    }

    @Test func `an unknown grant type`() {
        #expect(bench.ask("/token", [("grant_type", "magic")]).refusal == "400 unsupported_grant_type")
        #expect(bench.explanation?.contains("does not support the grant type “magic”") == true)
    }

    @Test func `a grant type that the client may not use`() {
        let answer = bench.ask(
            "/token", [("grant_type", "password"), ("username", "alice"), ("password", "wonderland")],
            as: "machine")
        #expect(answer.refusal == "400 unauthorized_client")
        #expect(bench.explanation?.contains("only “client_credentials”") == true)
    }

    @Test func `a client that cannot prove itself learns nothing`() {
        let answer = bench.form(
            "/token", ["grant_type": "client_credentials", "scope": "read"],
            headers: ["Authorization": TestBench<MountedServer>.basic("web", "wrong")])
        #expect(answer.refusal == "401 invalid_client")
        #expect(answer.headers["WWW-Authenticate"]?.hasPrefix("Basic") == true)
        #expect(answer.headers["Cache-Control"] == "no-store")
    }

    @Test func `a refusal may not be stored either`() {
        let answer = bench.redeem("made-up")
        #expect(answer.headers["Cache-Control"] == "no-store")
        #expect(answer.headers["Pragma"] == "no-cache")
        #expect(answer.headers["Content-Type"] == "application/json")
    }

    @Test func `every explanation has the form of the house`() throws {
        _ = bench.redeem("made-up")
        _ = bench.redeem(try bench.logIn(), [("code_verifier", TokenCast.verifier)])
        _ = bench.refresh("made-up")
        _ = bench.ask("/token", [("grant_type", "magic")])
        _ = bench.ask("/token", [("grant_type", "client_credentials"), ("scope", "admin")])
        _ = bench.userinfo("made-up")
        #expect(bench.misshapenExplanations == [])
        #expect(bench.reports.lines == [])
    }
}
