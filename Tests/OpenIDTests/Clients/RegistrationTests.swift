import Essentials
import HTTP
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import OpenID

/// Source: RFC 7591; OpenID Connect Dynamic Client Registration 1.0.
@Suite struct RegistrationTests {
    private let bench: TestBench<MountedServer>

    init() throws { bench = try TestBench.mounted("") }

    /// What a sound registration says, with members changed; null removes one.
    private static func body(_ changes: [String: JSONValue] = [:]) -> JSONValue {
        var members: [String: JSONValue] = ["redirect_uris": ["https://client.example/cb"]]
        for (name, value) in changes { members[name] = value.isNull ? nil : value }
        return .object(members)
    }

    private func register(_ changes: [String: JSONValue] = [:], headers: Headers = [:]) throws -> Response {
        try bench.post("/oauth/register", Self.body(changes), headers: headers)
    }

    private func error(_ changes: [String: JSONValue]) throws -> String? {
        let response = try register(changes)
        #expect(response.status == .badRequest)
        #expect(bench.misshapenExplanations == [])
        return response.fields["error"]
    }

    @Test func `a world keeps a thousand clients that registered themselves`() throws {
        let id = try register().fields["client_id"]
        try bench.world.database.write { db in
            try db.execute(
                """
                WITH RECURSIVE number (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM number WHERE n < 999)
                INSERT INTO openid_client (server, id, kind, metadata, created_at)
                SELECT c.server, 'other' || n, c.kind, '{}', 0 FROM number JOIN openid_client c ON c.id = \(id)
                """)
        }

        let refused = try register()
        #expect(refused.status == .tooManyRequests)
        #expect(refused.fields["error"] == "temporarily_unavailable")
        #expect(bench.misshapenExplanations == [])
        try bench.world.database.write { try $0.execute("DELETE FROM openid_client WHERE id = 'other7'") }
        #expect(try register().status == .created)
    }

    @Test func `a client gets an id, a secret and a place of its own, and hears what was kept`() throws {
        let response = try register(["client_name": "An App", "x_unknown": 7])
        #expect(response.status == .created)
        #expect(response.headers["Cache-Control"] == "no-store")
        let answer = try JSONValue(parsing: response.bytes)
        let id = try #require(answer["client_id"]?.string)
        #expect(answer["client_secret"]?.string?.utf8.count == 43)
        #expect(answer["client_secret_expires_at"] == 0)
        #expect(answer["client_id_issued_at"] == .integer(Int(ManualTime.start.timeIntervalSince1970)))
        #expect(answer["registration_access_token"]?.string?.isEmpty == false)
        #expect(answer["registration_client_uri"] == .string("http://localhost:8420/oauth/register/\(id)"))
        #expect(answer["client_name"] == "An App")
        #expect(answer["redirect_uris"] == ["https://client.example/cb"])
        // RFC 7591 §2; OpenID Connect Dynamic Client Registration 1.0 §2.
        #expect(answer["token_endpoint_auth_method"] == "client_secret_basic")
        #expect(answer["grant_types"] == ["authorization_code"])
        #expect(answer["response_types"] == ["code"])
        #expect(answer["application_type"] == "web")
        #expect(answer["id_token_signed_response_alg"] == "RS256")
        #expect(answer["x_unknown"] == nil)
    }

    @Test func `the client that was made proves itself with its secret, and may ask for the standard scopes`()
        throws
    {
        let answer = try JSONValue(parsing: register().bytes)
        let (id, secret) = (
            try #require(answer["client_id"]?.string), try #require(answer["client_secret"]?.string)
        )
        let request = Request(
            .post, "/oauth/token",
            headers: ["Authorization": "Basic " + Data("\(id):\(secret)".utf8).base64EncodedString()])
        let client = try bench.server.requireClient(request)
        #expect(client.kind == "registered")
        #expect(
            bench.server.scopes.assigned(to: client).names == [
                "openid", "profile", "email", "address", "phone", "offline_access",
            ])
        #expect(answer["scope"] == nil)
    }

    @Test
    func `without a word about the method the secret may come in either place, else in the registered one`()
        throws
    {
        for (word, taken) in [(JSONValue.null, true), ("client_secret_basic", false)] {
            let answer = try register([
                "token_endpoint_auth_method": word, "grant_types": ["client_credentials"],
            ])
            .fields
            let (id, secret) = (answer["client_id"] ?? "", answer["client_secret"] ?? "")
            let posted = bench.form(
                "/token",
                [
                    "grant_type": "client_credentials", "scope": "openid", "client_id": id,
                    "client_secret": secret,
                ])
            #expect(posted.status == (taken ? .ok : .unauthorized))
            let sent = bench.form(
                "/token", ["grant_type": "client_credentials", "scope": "openid"],
                headers: ["Authorization": TestBench<MountedServer>.basic(id, secret)])
            #expect(sent.status == .ok)
        }
    }

    @Test(arguments: ["none", "private_key_jwt"])
    func `a client without a shared secret gets none`(_ method: String) throws {
        let kit = try AssertionKit()
        let jwks = try JSONValue(parsing: Array(kit.jwks.utf8))
        let response = try register(["token_endpoint_auth_method": .string(method), "jwks": jwks])
        #expect(response.status == .created)
        let answer = try JSONValue(parsing: response.bytes)
        #expect(answer["client_secret"] == nil)
        #expect(answer["client_secret_expires_at"] == nil)
    }

    @Test(arguments: [
        "https://client.example/cb?x=1", "http://localhost:3000/cb", "http://127.0.0.1/cb",
        "http://[::1]:9/cb",
        "http://10.0.2.2:8080/cb", "http://app.localhost/cb", "com.example.app:/cb", "com.example.app://cb",
    ])
    func `redirect URIs may be https, local, or of an app's own scheme`(_ uri: String) throws {
        #expect(try register(["redirect_uris": [.string(uri)]]).status == .created)
    }

    @Test(arguments: [
        "/cb", "client.example/cb", "", "https://client.example/cb#part", "http://client.example/cb",
        "javascript:alert(1)",
        "data:text/html,x", "https://", "https:///cb", "https://user@client.example/cb",
        "https://client.example/a b",
        "https://client.example/ü", "1a://x", "JavaScript:alert(1)",
    ])
    func `others are an invalid redirect URI`(_ uri: String) throws {
        #expect(try error(["redirect_uris": [.string(uri)]]) == "invalid_redirect_uri")
    }

    @Test func `oidcc-redirect-uri-regfrag: a fragment is refused`() throws {
        #expect(try error(["redirect_uris": ["https://client.example/cb#foobar"]]) == "invalid_redirect_uri")
    }

    @Test func `redirect URIs are needed, fifty at most, and 2,000 bytes each`() throws {
        #expect(try error(["redirect_uris": .null]) == "invalid_redirect_uri")
        #expect(try error(["redirect_uris": []]) == "invalid_redirect_uri")
        let many = (1...51).map { JSONValue.string("https://client.example/\($0)") }
        #expect(try error(["redirect_uris": .array(many)]) == "invalid_redirect_uri")
        #expect(try register(["redirect_uris": .array(Array(many.dropLast()))]).status == .created)
        let long = "https://client.example/" + String(repeating: "x", count: 2000)
        #expect(try error(["redirect_uris": [.string(long)]]) == "invalid_redirect_uri")
        #expect(
            try register(["grant_types": ["client_credentials"], "redirect_uris": .null]).status == .created)
    }

    @Test(
        arguments: [
            ["grant_types": ["authorization_code"], "response_types": []],
            ["grant_types": ["client_credentials"], "response_types": ["code"]],
            ["grant_types": ["implicit"], "response_types": ["id_token"]], ["grant_types": ["magic"]],
            ["response_types": ["token"]], ["response_types": ["code id_token"]],
            ["grant_types": ["client_credentials"], "token_endpoint_auth_method": "none"],
            ["grant_types": "authorization_code"], ["token_endpoint_auth_method": "client_secret_jwt"],
            ["token_endpoint_auth_method": 7], ["token_endpoint_auth_method": "private_key_jwt"],
            ["jwks": ["keys": []]], ["jwks": "x"], ["jwks": ["keys": [["kty": "oct", "k": "AAAA"]]]],
            ["jwks_uri": "https://client.example/jwks", "jwks": ["keys": []]],
            ["jwks_uri": "ftp://client.example/"],
            ["id_token_signed_response_alg": "none"], ["id_token_signed_response_alg": "PS512"],
            ["userinfo_signed_response_alg": "HS256"], ["token_endpoint_auth_signing_alg": "none"],
            ["subject_type": "pairwise"], ["application_type": "toaster"], ["scope": "openid magic"],
            ["default_max_age": -1], ["default_max_age": 9_223_372_036_854_775_807], ["default_max_age": "1"],
            ["logo_uri": "javascript:alert(1)"], ["client_uri": "x"], ["contacts": [1]],
            ["backchannel_logout_uri": "https://client.example/#x"], ["frontchannel_logout_uri": "app:/x"],
            ["post_logout_redirect_uris": ["javascript:x"]],
            ["client_name": .string(String(repeating: "x", count: 501))],
        ] as [[String: JSONValue]])
    func `metadata that do not fit are refused`(_ changes: [String: JSONValue]) throws {
        #expect(try error(changes) == "invalid_client_metadata")
    }

    @Test func `the implicit grant can be registered where it is offered`() throws {
        let bench = try TestBench.mounted(#""settings": {"implicit_grant": true}"#)
        let response = try bench.post(
            "/oauth/register",
            Self.body([
                "grant_types": ["authorization_code", "implicit"],
                "response_types": ["code", "id_token", "id_token token"],
            ]))
        #expect(response.status == .created)
    }

    @Test func `a native app may use plain http on its own machine only`() throws {
        let native: JSONValue = "native"
        #expect(
            try register(["application_type": native, "redirect_uris": ["http://127.0.0.1/cb"]]).status
                == .created)
        #expect(
            try error(["application_type": native, "redirect_uris": ["http://10.0.2.2/cb"]])
                == "invalid_redirect_uri")
    }

    // RFC 7591 §3.2.2.
    @Test func `software statements are refused, each kind by its own name`() throws {
        #expect(try error(["software_statement": "abc"]) == "invalid_software_statement")
        #expect(try error(["software_statement": "eyJh.eyJh.c2ln"]) == "unapproved_software_statement")
    }

    @Test func `a body that is no JSON object, or too large, is refused`() throws {
        for (body, type) in [
            ("[]", "application/json"), ("{", "application/json"), ("", "application/json"),
            ("{}", "text/plain"),
            (String(repeating: "[", count: 5000), "application/json; charset=utf-8"),
        ] {
            let response = bench.send(
                .post, "/oauth/register", body: Array(body.utf8), headers: ["Content-Type": type])
            #expect(response.status == .badRequest)
            #expect(response.fields["error"] == "invalid_client_metadata")
        }
        let large = try register(["client_name": .string(String(repeating: "x", count: 65_536))])
        #expect(large.status == .contentTooLarge)
    }

    @Test func `members of the house cannot be registered`() throws {
        let response = try register([
            "skips_consent": true, "vendor": ["x": 1], "access_token_lifetime": 9, "audiences": ["a"],
        ])
        let id = try #require(response.fields["client_id"])
        let client = try bench.world.database.read { try bench.server.clients.find(id, in: $0) }
        #expect(client?.metadata.skipsConsent == nil)
        #expect(client?.metadata.vendor == nil)
        #expect(client?.metadata.accessTokenLifetime == nil)
        #expect(client?.metadata.audiences == nil)
    }

    @Test func `an initial access token of the fixtures is demanded`() throws {
        let bench = try TestBench.mounted(#""settings": {"initial_access_token": "let-me-in"}"#)
        let bare = try bench.post("/oauth/register", Self.body())
        #expect(bare.status == .unauthorized)
        #expect(bare.headers["WWW-Authenticate"] == "Bearer")
        let wrong = try bench.post("/oauth/register", Self.body(), headers: ["Authorization": "Bearer x"])
        #expect(wrong.status == .unauthorized)
        #expect(wrong.fields["error"] == "invalid_token")
        let right = try bench.post(
            "/oauth/register", Self.body(), headers: ["Authorization": "Bearer let-me-in"])
        #expect(right.status == .created)
    }

    @Test func `scopes may be limited by the fixtures`() throws {
        let bench = try TestBench.mounted(#""settings": {"registered_scope": "openid email"}"#)
        let response = try bench.post("/oauth/register", Self.body())
        #expect(response.fields["scope"] == "openid email")
        let more = try bench.post("/oauth/register", Self.body(["scope": "openid phone"]))
        #expect(more.fields["error"] == "invalid_client_metadata")
        let fewer = try bench.post("/oauth/register", Self.body(["scope": "openid"]))
        #expect(fewer.fields["scope"] == "openid")
    }

    @Test(arguments: ["logo_uri", "policy_uri", "tos_uri"])
    func `oidcc-registration-logo-uri, -policy-uri, -tos-uri: the address is kept`(_ name: String) throws {
        let response = try register([name: "https://client.example/page#part"])
        #expect(response.fields[name] == "https://client.example/page#part")
    }

    @Test func `oidcc-registration-jwks-uri: keys may stand elsewhere`() throws {
        let response = try register([
            "jwks_uri": "https://client.example/jwks", "token_endpoint_auth_method": "private_key_jwt",
        ])
        #expect(response.status == .created)
        #expect(response.fields["jwks_uri"] == "https://client.example/jwks")
    }

    private func registerWithSector(_ answer: String, status: Status = .ok) throws -> Response {
        let web = WebCalls { _, url, _, _ in
            #expect(url == "https://sector.example/list")
            return Response(status: status, body: Array(answer.utf8))
        }
        return try MountedServer.$web.withValue(web) {
            try register(["sector_identifier_uri": "https://sector.example/list"])
        }
    }

    @Test func `oidcc-registration-sector-uri: the list has the redirect URIs`() throws {
        #expect(
            try registerWithSector(#"["https://client.example/cb", "https://other.example/"]"#).status
                == .created)
    }

    @Test(arguments: [#"["https://other.example/"]"#, "{}", "x", "[1]"])
    func `oidcc-registration-sector-bad: a list without them is refused`(_ list: String) throws {
        let response = try registerWithSector(list)
        #expect(response.status == .badRequest)
        #expect(response.fields["error"] == "invalid_client_metadata")
    }

    @Test func `a sector that does not answer is refused`() throws {
        #expect(try registerWithSector("", status: .notFound).fields["error"] == "invalid_client_metadata")
    }

    @Test(arguments: [
        "http://localhost:9/list", "http://127.0.0.1/list", "https://127.8.9.1/list", "https://[::1]/list",
        "https://10.1.2.3/list", "https://172.20.0.1/", "https://192.168.1.1/", "https://169.254.169.254/",
        "https://[fd00::1]/list", "https://[fe80::1]/list", "https://[::ffff:10.0.0.1]/list",
        "http://printer/list", "https://app.localhost/list", "https://0.0.0.0/", "https://100.64.0.1/",
    ])
    func `a stranger's word makes nobody fetch from a private address`(_ url: String) throws {
        let web = WebCalls { _, url, _, _ in
            Issue.record("\(url) was fetched")
            return Response(status: .ok, body: Array("[]".utf8))
        }
        let response = try MountedServer.$web.withValue(web) {
            try register(["sector_identifier_uri": .string(url)])
        }
        #expect(response.fields["error"] == "invalid_client_metadata")
        #expect(bench.explanation?.contains("fetch_private_addresses") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `where the fixtures allow it a private address is fetched from`() throws {
        let bench = try TestBench.mounted(#""settings": {"fetch_private_addresses": true}"#)
        let web = WebCalls { _, _, _, _ in
            Response(status: .ok, body: Array(#"["https://client.example/cb"]"#.utf8))
        }
        let response = try MountedServer.$web.withValue(web) {
            try bench.post(
                "/oauth/register", Self.body(["sector_identifier_uri": "http://localhost:9/list"]))
        }
        #expect(response.status == .created)
    }

    @Test func `what is not kept is named in the journal`() throws {
        #expect(try register(["x_unknown": 7, "require_signed": true]).status == .created)
        let told = bench.journal.first { $0.event == "client metadata not kept" }
        #expect(told?.explanation?.contains("require_signed, x_unknown") == true)
        #expect(bench.misshapenExplanations == [])
    }

    @Test(
        arguments: [
            ("id_token_encrypted_response_alg", "RSA-OAEP"), ("userinfo_encrypted_response_enc", "A128GCM"),
            ("request_object_encryption_alg", "RSA-OAEP"),
            ("tls_client_certificate_bound_access_tokens", true),
            ("require_signed_request_object", true), ("dpop_bound_access_tokens", true),
            ("authorization_details_types", ["payment"]),
        ] as [(String, JSONValue)])
    func `a member that a client relies on and that is not emulated is refused`(
        _ name: String, _ value: JSONValue
    ) throws {
        #expect(try error([name: value]) == "invalid_client_metadata")
        #expect(bench.explanation?.contains(name) == true)
    }

    @Test func `the same members switched off are no wish`() throws {
        let off: [String: JSONValue] = [
            "tls_client_certificate_bound_access_tokens": false, "dpop_bound_access_tokens": false,
        ]
        #expect(try register(off).status == .created)
    }

    @Test func `the description names the redirect URI and what is wrong with it`() throws {
        let response = try register(["redirect_uris": ["https://client.example/cb#part"]])
        #expect(response.fields["error"] == "invalid_redirect_uri")
        #expect(
            response.fields["error_description"]?.contains("https://client.example/cb#part has a fragment")
                == true)
    }

    @Test func `a client that would prove itself by a key of no accepted algorithm is refused`() throws {
        // RFC 8037 appendix A.2.
        let key: JSONValue = [
            "kty": "OKP", "crv": "Ed25519", "x": "11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo",
        ]
        let name = try error(["token_endpoint_auth_method": "private_key_jwt", "jwks": ["keys": [key]]])
        #expect(name == "invalid_client_metadata")
        #expect(bench.explanation?.contains("Ed25519") == true)
    }

    @Test func `oidcc-3rd_party-init-login: the address is kept`() throws {
        let response = try register(["initiate_login_uri": "https://client.example/login"])
        #expect(response.fields["initiate_login_uri"] == "https://client.example/login")
    }

    @Test func `oidcc-3rd_party-init-login-nohttps: plain http is refused`() throws {
        #expect(try error(["initiate_login_uri": "http://localhost/login"]) == "invalid_client_metadata")
    }
}
