import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// Source: RFC 9126.
@Suite struct PushedRequestTests {
    private let bench: TestBench<MountedServer>

    init() throws {
        bench = try TestBench.mounted(
            """
            "clients": [
                {"client_id": "portal", "client_secret": "portal-secret", "scope": "openid profile",
                    "redirect_uris": ["http://localhost:3000/cb"]},
                {"client_id": "spa", "token_endpoint_auth_method": "none", "scope": "openid",
                    "redirect_uris": ["http://localhost:3000/cb"]}
            ],
            "users": [{"sub": "ada"}]
            """)
    }

    private static let wish: KeyValuePairs = [
        "response_type": "code", "client_id": "portal", "redirect_uri": "http://localhost:3000/cb",
        "scope": "openid profile", "state": "a b&c=d", "nonce": "n",
    ]

    private func push(_ fields: KeyValuePairs<String, String> = wish, _ headers: Headers? = nil) -> Response {
        let portal: Headers = ["Authorization": TestBench<MountedServer>.basic("portal", "portal-secret")]
        return bench.form("/par", fields, headers: headers ?? portal)
    }

    private func found(
        _ uri: String, by client: String = "portal"
    ) throws -> Result<Form, PushedRequestFault> {
        try bench.world.database.read {
            try bench.server.pushedRequests.find(uri, clientID: client, at: bench.clock.now, in: $0)
        }
    }

    @Test func `a pushed request is kept for a minute, without the client's proof`() throws {
        let response = push()
        #expect(response.status == .created)
        #expect(response.headers["Cache-Control"] == "no-cache, no-store")
        #expect(response.fields["expires_in"] == "60")
        let uri = try #require(response.fields["request_uri"])
        #expect(uri.hasPrefix("urn:ietf:params:oauth:request_uri:"))
        // RFC 9126 §7.1, RFC 6749 §10.10: 128 bits at least; 43 characters of base64url are 256.
        #expect(uri.utf8.count == "urn:ietf:params:oauth:request_uri:".utf8.count + 43)
        let form = try found(uri).get()
        #expect(form["state"] == "a b&c=d")
        #expect(form["scope"] == "openid profile")
    }

    @Test func `fapi2-security-profile-final-par-without-duplicate-parameters: the pushed ones are enough`()
        throws
    {
        let uri = try #require(push().fields["request_uri"])
        let escaped = TestBench<MountedServer>.escaped(uri)

        let page = bench.get("/oauth/authorize?client_id=portal&request_uri=\(escaped)")
        #expect(page.status == 303)
        #expect(page.headers["Location"]?.hasPrefix("/oauth/login?") == true)
        // RFC 9126 §4: the pushed request alone counts.
        let beside = bench.get(
            "/oauth/authorize?client_id=portal&request_uri=\(escaped)&response_type=nonsense&scope=nothing")
        #expect(beside.headers["Location"]?.hasPrefix("/oauth/login?") == true)
    }

    @Test func `a thousand wait, and the oldest gives way`() throws {
        let uris = try (1...3).map { number in
            let uri = try #require(push().fields["request_uri"])
            // As if many had come between the second and the third.
            try bench.world.database.write { db in
                if number == 2 {
                    try db.execute("UPDATE openid_pushed_request SET rowid = 1000 WHERE rowid = 2")
                }
            }
            return uri
        }

        #expect(throws: PushedRequestFault.unknown) { try found(uris[0]).get() }
        #expect(throws: Never.self) { try found(uris[1]).get() }
        #expect(throws: Never.self) { try found(uris[2]).get() }
    }

    @Test func `the secret in the form is not kept`() throws {
        let bench = try TestBench.mounted(
            """
            "clients": [{"client_id": "poster", "client_secret": "s3", "scope": "openid",
                "token_endpoint_auth_method": "client_secret_post", "redirect_uris": ["http://localhost:3000/cb"]}]
            """)
        let response = bench.form(
            "/par",
            [
                "response_type": "code", "client_id": "poster", "client_secret": "s3", "scope": "openid",
                "redirect_uri": "http://localhost:3000/cb",
            ])
        #expect(response.status == .created)
        let kept = try bench.world.database.read {
            try $0.value(String.self, "SELECT parameters FROM openid_pushed_request")
        }
        #expect(try #require(kept).contains("s3") == false)
        #expect(Form(try #require(kept))["client_id"] == "poster")
    }

    @Test func `a client that does not prove itself is refused as at the token endpoint`() throws {
        let wrong = push(Self.wish, ["Authorization": TestBench<MountedServer>.basic("portal", "x")])
        #expect(wrong.status == .unauthorized)
        #expect(wrong.fields["error"] == "invalid_client")
    }

    @Test func `what the authorization endpoint would refuse is refused at once`() throws {
        let unregistered = push([
            "response_type": "code", "client_id": "portal", "redirect_uri": "http://localhost:9/cb",
            "scope": "openid",
        ])
        #expect(unregistered.status == .badRequest)
        #expect(unregistered.headers["Content-Type"] == "application/json")
        #expect(unregistered.fields["error"] == "invalid_request")
        let unsupported = push([
            "response_type": "magic", "client_id": "portal", "redirect_uri": "http://localhost:3000/cb",
            "scope": "openid",
        ])
        #expect(unsupported.fields["error"] == "unsupported_response_type")
        let scope = push([
            "response_type": "code", "client_id": "portal", "redirect_uri": "http://localhost:3000/cb",
            "scope": "openid email",
        ])
        #expect(scope.fields["error"] == "invalid_scope")
        let unchallenged = push(
            [
                "response_type": "code", "client_id": "spa", "redirect_uri": "http://localhost:3000/cb",
                "scope": "openid",
            ], [:])
        #expect(unchallenged.fields["error"] == "invalid_request")
    }

    @Test func `fapi2-security-profile-final-par-attempt-invalid-http-method`() throws {
        for method in [Request.Method.get, .put, .delete] {
            let response = bench.send(method, "/oauth/par")
            #expect(response.status == .methodNotAllowed)
            #expect(response.headers["Allow"] == "POST")
        }
    }

    @Test
    func
        `fapi2-security-profile-final-par-authorization-request-containing-request_uri and -request_uri-form-param`()
        throws
    {
        let response = push([
            "response_type": "code", "client_id": "portal", "redirect_uri": "http://localhost:3000/cb",
            "scope": "openid", "request_uri": "urn:ietf:params:oauth:request_uri:x",
        ])
        #expect(response.status == .badRequest)
        #expect(response.fields["error"] == "invalid_request")
    }

    @Test func `fapi2-security-profile-final-par-attempt-to-use-expired-request_uri`() throws {
        let uri = try #require(push().fields["request_uri"])
        try bench.clock.advance(seconds: 60)
        #expect(throws: PushedRequestFault.self) { try found(uri).get() }
        // It is remembered for a while, so that the journal can tell; then it is not.
        try bench.clock.advance(seconds: 601)
        _ = push()
        #expect(throws: PushedRequestFault.unknown) { try found(uri).get() }
    }

    @Test func `fapi2-security-profile-final-par-attempt-to-use-request_uri-for-different-client`() throws {
        let uri = try #require(push().fields["request_uri"])
        #expect(throws: PushedRequestFault.foreign(clientID: "portal")) { try found(uri, by: "spa").get() }
    }

    @Test
    func `fapi2-security-profile-final-par-ensure-reused-request-uri-prior-to-auth-completion-succeeds`()
        throws
    {
        let uri = try #require(push().fields["request_uri"])
        _ = try found(uri).get()
        _ = try found(uri).get()
    }

    @Test func `fapi2-security-profile-final-par-attempt-reuse-request_uri`() throws {
        let uri = try #require(push().fields["request_uri"])
        let first = try bench.world.database.write { try bench.server.pushedRequests.consume(uri, in: $0) }
        let second = try bench.world.database.write { try bench.server.pushedRequests.consume(uri, in: $0) }
        #expect(first)
        #expect(!second)
        #expect(throws: PushedRequestFault.unknown) { try found(uri).get() }
    }

    @Test func `a form that is too large, is none, or repeats a parameter is refused`() throws {
        let large = push(["client_id": "portal", "state": String(repeating: "x", count: 70_000)])
        #expect(large.status == .contentTooLarge)
        let json = bench.send(
            .post, "/oauth/par", body: Array("{}".utf8), headers: ["Content-Type": "application/json"])
        #expect(json.fields["error"] == "invalid_request")
        let twice = push([
            "response_type": "code", "response_type": "code", "client_id": "portal",
            "redirect_uri": "http://localhost:3000/cb", "scope": "openid",
        ])
        #expect(twice.fields["error"] == "invalid_request")
        #expect(bench.misshapenExplanations == [])
    }
}
