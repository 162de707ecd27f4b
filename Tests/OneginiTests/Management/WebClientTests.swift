import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

struct WebClientTests {
    typealias Bench = ManagementBench
    static let path = "/oauth/api/v1/configuration/web-clients"

    /// Every member that the authorization server has a place for, and some that it has not.
    static let created = """
        {"name": "Web", "client_id": "web-1", "client_secret": "web secret", "grant_types": ["AUTHORIZATION_CODE",
         "CLIENT_CREDENTIALS"], "access_token_format": "JWT", "redirect_url": "https://web.test/back",
         "additional_redirect_urls": ["https://web.test/other"], "access_grant_expires_in": 30,
         "access_token_expires_in": 900, "resource_gateway_ids": ["shop"], "additional_audiences": ["api"],
         "refresh_token_enabled": true, "refresh_token_expires_in": 7200, "max_refresh_token_validity": 86400,
         "simultaneous_sessions_allowed": true, "max_simultaneous_sessions": 3, "default_scopes": ["openid"],
         "additional_scopes": ["email"], "consent_disabled": true, "template_set": "green",
         "session_based_silent_auth": true, "invented": {"by": "tomorrow"},
         "open_id_connect": {"expiration_time_seconds": 600, "additional_audiences": ["rp"],
            "post_logout_redirect_url": "https://web.test/bye", "delete_tokens_on_logout": true,
            "additional_post_logout_redirect_urls": ["https://web.test/bye2"],
            "front_channel_logout_url": "https://web.test/front", "id_token_encryption_enabled": false}}
        """

    private func stored(_ id: String, _ bench: Bench) throws -> Client {
        let onegini = bench.onegini
        return try #require(try onegini.database.read { try onegini.server.clients.find(id, in: $0) })
    }

    @Test(arguments: ["/oauth/api", "/api"])
    func `a client is made with everything that was said about it`(prefix: String) throws {
        let bench = try Bench()
        let response = bench.post(prefix + "/v1/configuration/web-clients", Self.created)

        #expect(response.status == .created)
        #expect(response.bytes.isEmpty)
        #expect(response.headers["Location"] == prefix + "/v1/configuration/web-clients/web-1")
        let client = try stored("web-1", bench)
        #expect(client.secret == "web secret")
        #expect(client.kind == "web")
        let metadata = client.metadata
        #expect(metadata.grantTypes == ["authorization_code", "client_credentials", "refresh_token"])
        #expect(metadata.redirectURIs == ["https://web.test/back", "https://web.test/other"])
        #expect(metadata.accessTokenFormat == .jwt)
        #expect(metadata.authorizationCodeLifetime == 30)
        #expect(metadata.accessTokenLifetime == 900)
        #expect(metadata.refreshTokenLifetime == 7200)
        #expect(metadata.refreshTokenMaxLifetime == 86400)
        #expect(metadata.maxSimultaneousSessions == 3)
        #expect(metadata.defaultScope == "openid")
        #expect(metadata.scope == "openid email")
        #expect(metadata.skipsConsent == true)
        #expect(metadata.audiences == ["api", "shop"])
        #expect(metadata.idTokenLifetime == 600)
        #expect(metadata.idTokenAudiences == ["rp"])
        #expect(metadata.postLogoutRedirectURL == "https://web.test/bye")
        #expect(metadata.postLogoutRedirectURIs == ["https://web.test/bye2"])
        // The vendor's one method means header field or form.
        #expect(metadata.tokenEndpointAuthMethod == nil)
        #expect(metadata.frontchannelLogoutURI == "https://web.test/front")
        #expect(metadata.vendor?["delete_tokens_on_logout"] == true)
    }

    @Test func `a client is shown as it was made, without its secret`() throws {
        let bench = try Bench()
        _ = bench.post(Self.path, Self.created)

        let response = bench.get(Self.path + "/web-1")
        #expect(response.status == .ok)
        #expect(response.headers["Cache-Control"] == "no-store")
        var expected = try JSONValue(parsing: Array(Self.created.utf8)).object ?? [:]
        expected["client_secret"] = nil
        expected["client_authentication_method"] = "CLIENT_SECRET_BASIC"
        #expect(try response.json(JSONValue.self) == .object(expected))
    }

    @Test func `the client can log in with what it was given`() throws {
        let bench = try Bench()
        _ = bench.post(Self.path, Self.created)

        let response = bench.bench.send(
            .post, "/oauth/v1/token", body: Array("grant_type=client_credentials&scope=email".utf8),
            headers: [
                "Authorization": "Basic " + Bench.encoded("web-1:web secret"),
                "Content-Type": "application/x-www-form-urlencoded",
            ])
        #expect(response.status == .ok)
    }

    @Test func `a hundred clients make a page`() throws {
        let bench = try Bench()
        let onegini = bench.onegini
        try onegini.database.write { db in
            for index in 1...100 {
                try onegini.server.clients.insert(
                    Client(
                        id: "c\(index)", secret: "s", kind: "web", metadata: ClientMetadata(),
                        createdAt: onegini.server.now), in: db)
            }
        }

        func ids(_ query: String) throws -> [JSONValue?] {
            let body = try bench.get(Self.path + query).json(JSONValue.self)
            return body["result"]?.array?.map { $0["client_id"] } ?? []
        }
        #expect(try ids("").count == 100)
        #expect(try ids("?page=0").first == "shop", "API clients are not among them")
        #expect(try ids("?page=1") == ["c100"])
        #expect(bench.get(Self.path + "?page=x").status == .badRequest)
    }

    @Test(arguments: [
        ("{}", ["client_id", "name", "client_secret", "grant_types"]),
        ("\"grant_types\": [\"MAGIC\"]", ["grant_types"]),
        ("\"grant_types\": []", ["grant_types"]),
        ("\"redirect_url\": null, \"additional_redirect_urls\": null", ["redirect_url"]),
        ("\"client_secret\": null", ["client_secret"]),
        ("\"access_grant_expires_in\": null", ["access_grant_expires_in"]),
        ("\"access_token_expires_in\": null", ["access_token_expires_in"]),
        ("\"access_token_expires_in\": 1.5", ["access_token_expires_in"]),
        ("\"max_simultaneous_sessions\": 1", ["max_simultaneous_sessions"]),
        ("\"max_simultaneous_sessions\": 26", ["max_simultaneous_sessions"]),
        ("\"refresh_token_enabled\": false", ["refresh_token_expires_in"]),
        ("\"client_authentication_method\": \"PKCE\"", ["grant_types"]),
        ("\"client_authentication_method\": \"PRIVATE_KEY_JWT\"", ["public_jwk"]),
        ("\"client_authentication_method\": \"PRIVATE_KEY_JWT\", \"public_jwk\": \"x\"", ["public_jwk"]),
        ("\"grant_types\": [\"PASSWORD\"], \"consent_disabled\": false", ["consent_disabled"]),
        ("\"open_id_connect\": null", ["open_id_connect"]),
        (
            "\"open_id_connect\": {\"expiration_time_seconds\": \"x\"}",
            ["open_id_connect.expiration_time_seconds", "open_id_connect"]
        ),
        ("\"default_scopes\": [\"unknown\"]", ["default_scopes"]),
        ("\"additional_scopes\": [\"unknown\"]", ["additional_scopes"]),
        ("\"resource_gateway_ids\": [\"unknown\"]", ["resource_gateway_ids"]),
        ("\"identity_provider_id\": \"unknown\"", ["identity_provider_id"]),
        ("\"additional_identity_provider_ids\": [\"unknown\"]", ["additional_identity_provider_ids"]),
        ("\"client_id\": \"with space\"", ["client_id"]),
    ])
    func `what is missing or wrong is named`(change: String, details: [String]) throws {
        let bench = try Bench()
        var members = try JSONValue(parsing: Array(Self.created.utf8)).object ?? [:]
        let changed =
            try JSONValue(parsing: Array((change == "{}" ? change : "{\(change)}").utf8)).object ?? [:]
        members = change == "{}" ? [:] : members.merging(changed) { _, new in new }
        let response = bench.post(Self.path, JSONValue.object(members).text)

        #expect(response.status == .badRequest)
        let list = details.map { "\"\($0)\"" }.joined(separator: ",")
        #expect(
            response.text == """
                {"code":"invalid_request","details":[\(list)],"message":"One or more parameters is missing or incorrect."}
                """)
        #expect(bench.get(Self.path + "/web-1").status == .notFound)
    }

    @Test func `an id that any client has is 409`() throws {
        let bench = try Bench()
        for id in ["shop", "portal"] {
            let response = bench.post(
                Self.path, Self.created.replacing("\"web-1\"", with: "\"\(id)\""))
            #expect(response.status == .conflict)
            #expect(
                response.text
                    == "{\"code\":\"conflict\",\"details\":[],\"message\":\"The Client ID already exists.\"}")
        }
    }

    @Test func `a change touches what it names alone`() throws {
        let bench = try Bench()
        _ = bench.post(Self.path, Self.created)
        let before = try bench.get(Self.path + "/web-1").json(JSONValue.self)

        let response = bench.patch(
            Self.path + "/web-1",
            "{\"name\": \"Renamed\", \"template_set\": null, \"open_id_connect\": {\"expiration_time_seconds\": 60}}"
        )
        #expect(response.status == .noContent)
        #expect(response.bytes.isEmpty)
        var expected = before.object ?? [:]
        expected["name"] = "Renamed"
        expected["template_set"] = nil
        var openID = expected["open_id_connect"]?.object ?? [:]
        openID["expiration_time_seconds"] = 60
        expected["open_id_connect"] = .object(openID)
        #expect(try bench.get(Self.path + "/web-1").json(JSONValue.self) == .object(expected))
        #expect(try stored("web-1", bench).secret == "web secret")
    }

    @Test func `a change can make the client public, and then its secret is gone`() throws {
        let bench = try Bench()
        _ = bench.post(Self.path, Self.created)
        let response = bench.patch(
            Self.path + "/web-1",
            "{\"client_authentication_method\": \"PKCE\", \"grant_types\": [\"AUTHORIZATION_CODE\"]}")

        #expect(response.status == .noContent)
        let client = try stored("web-1", bench)
        #expect(client.isPublic)
        #expect(client.secret == nil)
        #expect(bench.get(Self.path + "/web-1").fields["client_authentication_method"] == "PKCE")
    }

    @Test func `a client that is not there is 404, and so is one of another kind`() throws {
        let bench = try Bench()
        for id in ["none", "portal"] {
            for response in [
                bench.get(Self.path + "/" + id), bench.patch(Self.path + "/" + id, "{}"),
                bench.delete(Self.path + "/" + id),
            ] {
                #expect(response.status == .notFound)
                #expect(
                    response.text == """
                        {"code":"not_found","details":[],"message":"Web Client configuration cannot be found."}
                        """)
                #expect(bench.bench.explanation?.contains("shop") == true)
            }
        }
    }

    @Test func `a removed client is gone with its tokens`() throws {
        let bench = try Bench()
        try bench.issue("a", to: "shop")

        #expect(bench.delete(Self.path + "/shop").status == .noContent)
        #expect(try !bench.isAlive("a"))
        #expect(bench.get(Self.path + "/shop").status == .notFound)
    }
}
