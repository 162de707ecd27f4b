import HTTP
import PlatformKit
import Synchronization
import TestKit
import Testing

@testable import OpenID

/// A client changes its own keys between a login and a refresh. Source: Token Server documentation; OpenID Connect Core 1.0 §10.1.1.
struct KeyRotationTests {
    @Test func `oidcc-refresh-token-rp-key-rotation: the new key proves the client, the old one no more`()
        throws
    {
        let (before, after) = (try AssertionKit(), try AssertionKit())
        let bench = try TestBench.mounted(
            """
            "users": [{"sub": "\(TokenCast.alice)"}],
            "clients": [{"client_id": "keeper", "token_endpoint_auth_method": "private_key_jwt",
                "jwks_uri": "https://keeper.example/jwks", "redirect_uris": ["\(TokenCast.callback)"],
                "grant_types": ["authorization_code", "refresh_token"], "scope": "\(TokenCast.scope)"}]
            """)
        let published = Mutex(try before.jwks)
        let web = WebCalls { _, _, _, _ in Response(body: Array(published.withLock { $0 }.utf8)) }
        func ask(_ kit: AssertionKit, _ id: String, _ form: String) throws -> Response {
            let request = kit.request(try kit.assertion(AssertionKit.claims(bench, id)), form)
            return MountedServer.$web.withValue(web) { bench.send(request) }
        }

        let code = try bench.logIn(client: "keeper")
        let first = try ask(
            before, "one",
            "&grant_type=authorization_code&code=\(code)&redirect_uri=https%3A%2F%2Fapp.example%2Fcb")
        #expect(first.status == .ok)
        let refresh = "&grant_type=refresh_token&refresh_token=\(first.fields["refresh_token"] ?? "")"
        try published.withLock { $0 = try after.jwks }

        #expect(try ask(before, "two", refresh).refusal == "401 invalid_client")
        let second = try ask(after, "three", refresh)
        #expect(second.status == .ok)
        #expect(second.fields["id_token"] != nil)
    }
}
