import Crypto
import Essentials
import HTTP
import JOSE
import PlatformKit
import TestKit
import Testing

@testable import OpenID

/// Tokens that are good ones of something else, sent as an access token: the client hears `invalid_token`, the journal says what it is
/// and where it belongs.
struct MisplacedTokenTests {
    let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.tokens() }

    private func refused(_ token: String?) throws -> String {
        let answer = bench.userinfo(token)
        #expect(answer.refusal == "401 invalid_token")
        #expect(bench.misshapenExplanations == [])
        return try #require(bench.explanation)
    }

    /// A JWT that nobody here signed.
    private func foreign(_ claims: [String: JSONValue], type: String? = "JWT") throws -> String {
        let key = JWK(.privateKey(try .generate(.ec(.p256))), keyID: "elsewhere", algorithm: "ES256")
        return try JWT.sign(JSONValue.object(claims), with: key, type: type)
    }

    @Test func `an ID token is told as one`() throws {
        let told = try refused(try bench.loggedIn()["id_token"])
        #expect(told.contains("an ID token"))
        #expect(told.contains("“web”"), "whose it is")
        #expect(told.contains("access_token"), "what to send")
    }

    @Test func `a refresh token is told as one`() throws {
        let told = try refused(try bench.loggedIn()["refresh_token"])
        #expect(told.contains("a refresh token of user “\(TokenCast.alice)” and client “web”"))
    }

    @Test func `a token of another world of the same keys names the world`() throws {
        let made = bench.send(
            .post, "/oauth/token",
            body: Array("grant_type=client_credentials&scope=read".utf8),
            headers: [
                "Content-Type": "application/x-www-form-urlencoded",
                "Authorization": TestBench<MountedServer>.basic("machine", "machine-secret"),
            ])
        var order = WorldOrder()
        order.name = "blue"
        _ = try bench.worlds.create(order)
        let answer = bench.get(
            "/w/blue/oauth/userinfo",
            headers: ["Authorization": "Bearer \(made.fields["access_token"] ?? "")"])
        #expect(answer.refusal == "401 invalid_token")
        let told = try #require(bench.worlds.world("blue")?.journal.entries().first?.explanation)
        #expect(told.contains("an access token"))
        #expect(told.contains("the world “default”") && told.contains("the world “blue”"))
    }

    @Test(arguments: [
        ("http://localhost:8420/w/green/oauth", "the world “green”"),
        ("http://localhost:8420/hanko", "/hanko"),
        ("http://green--hanko.localhost:8420", "the world “green”"),
        ("https://login.example.com", "“https://login.example.com”"),
    ])
    func `a token of somewhere else says where it belongs`(_ issuer: String, _ place: String) throws {
        let told = try refused(
            try foreign(["iss": .string(issuer), "sub": "a", "scope": "read", "client_id": "x"]))
        #expect(told.contains("an access token"))
        #expect(told.contains(place))
    }

    @Test func `a client assertion and a session token of Hanko are told as such`() throws {
        let assertion = try foreign(["iss": "web", "sub": "web", "aud": .string(bench.issuer), "jti": "1"])
        #expect(try refused(assertion).contains("a client assertion"))
        let session = try foreign(["sub": "u", "session_id": "s", "aud": ["localhost"]])
        #expect(try refused(session).contains("a session token"))
    }
}
