import OpenID
import PlatformKit
import TestKit
import Testing

@testable import Onegini

/// What loads and is surely not meant.
struct FixtureMistakeTests {
    private func mistakes(_ oauth: String) throws -> [String] {
        let set = try FixtureSet(text: Array("{\"onegini\": {\"oauth\": {\(oauth)}}}".utf8), file: "my.json")
        return try set.faults(of: [Onegini.self]) { _ in }.map { "\($0.field): \($0.reason)" }
    }

    private func client(_ members: String) throws -> [String] {
        try mistakes(
            #""scopes": [{"name": "openid"}, {"name": "accounts"}], "clients": [{"client_id": "a", \#(members)}]"#
        )
    }

    private static let sound =
        #""client_secret": "s", "redirect_uris": ["https://a.example/cb"], "scope": "openid", "default_scope": "openid""#

    @Test func `a sound client and user have none`() throws {
        #expect(try client(Self.sound) == [])
        #expect(try client(#""token_endpoint_auth_method": "none", "redirect_uris": ["/app"]"#) == [])
        #expect(
            try mistakes(
                #""users": [{"sub": "a", "claims": {"email_verified": true, "name": "A", "roles": ["x"], "address": {}}}]"#
            ) == [])
    }

    @Test func `under a profile a client with a secret is one`() throws {
        let told = try mistakes(
            #""settings": {"profile": "fapi2"}, "clients": [{"client_id": "a", "client_secret": "s", "redirect_uris": ["/a"]}]"#
        )
        #expect(told.count == 1 && told.first?.contains("private_key_jwt alone") == true)
    }

    @Test(arguments: [
        (
            #""grant_types": ["authorisation_code"], "client_secret": "s""#, "grant_types[0]",
            "did you mean “authorization_code”?"
        ),
        (#""kind": "wep", "client_secret": "s", "redirect_uris": ["/a"]"#, "kind", "did you mean “web”?"),
        (
            #""response_types": ["cod"], "client_secret": "s", "redirect_uris": ["/a"]"#, "response_types[0]",
            "found “cod”"
        ),
        (#""client_secret": "", "redirect_uris": ["/a"]"#, "client_secret", "an empty secret is none"),
        (#""redirect_uris": ["/a"]"#, "client_secret", "cannot authenticate"),
        (
            #""client_secret": "s", "redirect_uris": ["/a"], "scope": "openid", "default_scope": "openid accounts""#,
            "default_scope", "“accounts” is not in the scope"
        ),
        (
            #""client_secret": "s", "redirect_uris": ["/a"], "scope": "openid acounts""#, "scope",
            "did you mean “accounts”?"
        ),
        (
            #""token_endpoint_auth_method": "private_key_jwt", "redirect_uris": ["/a"]"#, "jwks",
            "needs jwks or jwks_uri"
        ),
        (#""client_secret": "s""#, "redirect_uris", "needs at least one"),
        (
            #""client_secret": "s", "redirect_uris": ["/a", "localhost:3000/cb"]"#, "redirect_uris[1]",
            "did you mean “http://localhost:3000/cb”?"
        ),
        (
            #""client_secret": "s", "redirect_uris": ["/a"], "post_logout_redirect_uris": ["a.example:443"]"#,
            "post_logout_redirect_uris[0]", "did you mean “https://a.example:443”?"
        ),
    ])
    func `one mistake is told with its place and what was perhaps meant`(
        _ members: String, _ place: String, _ words: String
    ) throws {
        let told = try client(members)
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("onegini.oauth.clients[0].\(place): ") == true)
        #expect(told.first?.contains(words) == true)
    }

    @Test(arguments: [
        (#""email_verified": "true""#, "email_verified", "expected true or false"),
        (#""updated_at": "yesterday""#, "updated_at", "expected a whole number of seconds"),
        (#""address": "Oxford""#, "address", "expected an object"),
        (#""name": 7"#, "name", "expected a text, found 7"),
    ])
    func `a claim of the wrong type is told`(_ claim: String, _ name: String, _ words: String) throws {
        let told = try mistakes("\"users\": [{\"sub\": \"a\", \"claims\": {\(claim)}}]")
        #expect(told.count == 1)
        #expect(told.first?.hasPrefix("onegini.oauth.users[0].claims.\(name): \(words)") == true)
    }

    /// Each was accepted once, and every later registration failed with our own 500.
    @Test(arguments: [
        ("[]", "[]", "2026-01-01T00:00:00Z", "primary"),
        (
            #"["-----BEGIN PRIVATE KEY-----", "AAAA", "-----END PRIVATE KEY-----"]"#, "[]",
            "2026-01-01T00:00:00Z", "primary"
        ),
    ])
    func `a server key that is none is refused where it stands`(
        _ primary: String, _ encryption: String, _ time: String, _ place: String
    ) {
        let text =
            "{\"onegini\": {\"pgp\": {\"created_at\": \"\(time)\", \"primary\": \(primary), \"encryption\": \(encryption)}}}"
        let error = #expect(throws: FixtureError.self) {
            _ = try TestBench(Onegini.self, fixtures: text)
        }
        #expect(error?.field == "onegini.pgp.\(place)")
    }
}
