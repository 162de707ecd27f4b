import Crypto
import Essentials
import HTTP
import OpenID
import TestKit
import Testing

/// Source: OpenID Connect Core 1.0 §3.2; OAuth 2.0 Multiple Response Type Encoding Practices §3, §5.
struct ImplicitTests {
    let bench: TestBench<MountedServer>
    let browser: Browser

    init() throws {
        bench = try Cast.bench()
        browser = Browser(bench)
    }

    @Test func `an ID token alone comes in the fragment, with the claims of the scope`() throws {
        let back = browser.authorize([
            "client_id": "page", "response_type": "id_token", "scope": "openid email",
        ])
        #expect(back.fragment["state"] == "xyz" && back.fragment["iss"] == bench.issuer)
        #expect(back.fragment["access_token"] == nil && back.answer.isEmpty)
        let claims = try bench.claims(back.fragment["id_token"].map(JSONValue.string))
        #expect(claims["sub"] == "a-1" && claims["nonce"] == "n-0S6_WzA2Mj" && claims["aud"] == "page")
        #expect(claims["email"] == "alice@example.com" && claims["at_hash"] == nil)
    }

    @Test(arguments: ["id_token token", "token id_token"])
    func `with an access token comes its hash`(type: String) throws {
        let back = browser.authorize(["client_id": "page", "response_type": type])
        let token = try #require(back.fragment["access_token"])
        #expect(back.fragment["token_type"] == "Bearer" && back.fragment["expires_in"] == "3600")
        #expect(back.fragment["refresh_token"] == nil && back.fragment["code"] == nil)
        // OpenID Connect Core 1.0 §3.2.2.9
        let hash = Base64URL.encode(Array(Digest.sha256(Array(token.utf8)).prefix(16)))
        let claims = try bench.claims(back.fragment["id_token"].map(JSONValue.string))
        #expect(claims["at_hash"] == .string(hash))
        #expect(try bench.userinfo(["access_token": .string(token)])["sub"] == "a-1")
    }

    @Test func `a token alone needs neither nonce nor openid`() {
        let back = browser.authorize([
            "client_id": "page", "response_type": "token", "scope": "email", "nonce": "",
        ])
        #expect(back.fragment["access_token"] != nil && back.fragment["id_token"] == nil)
    }

    @Test func `only clients that are registered for it get tokens from here`() {
        let back = browser.open(Cast.request(["response_type": "id_token"]))
        #expect(back.url.hasPrefix(Cast.callback + "#"))
        #expect(back.fragment["error"] == "unauthorized_client" && back.fragment["state"] == "xyz")
    }

    @Test func `an ID token needs a nonce and the scope openid, and never stands in a query`() {
        func error(_ name: String, _ value: String) -> String? {
            let visit = browser.open(
                Cast.request(["client_id": "page", "response_type": "id_token", name: value]))
            #expect(visit.answer.isEmpty)
            return visit.fragment["error"]
        }
        #expect(error("nonce", "") == "invalid_request")
        #expect(error("scope", "email") == "invalid_scope")
        #expect(error("response_mode", "query") == "invalid_request")
    }

    @Test func `a code may come in the fragment on request`() {
        let back = browser.authorize(["response_mode": "fragment"])
        #expect(back.fragment["code"] != nil && back.answer.isEmpty)
    }
}
