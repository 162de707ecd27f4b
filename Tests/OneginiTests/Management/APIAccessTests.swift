import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import TestKit
import Testing

@testable import Onegini

struct APIAccessTests {
    typealias Bench = ManagementBench

    static let structured = [
        "/oauth/api/v1/users/ada/tokens", "/oauth/api/v4/users/ada/devices",
        "/oauth/api/v3/users/ada/devices",
        "/oauth/api/v1/configuration/web-clients", "/api/v1/configuration/scopes",
        "/api/v1/configuration/api-clients",
    ]

    @Test(arguments: structured)
    func `without credentials the answer is 401 with both shapes and the documented fields`(path: String)
        throws
    {
        let bench = try Bench().bench
        let response = bench.get(path)

        #expect(response.status == .unauthorized)
        #expect(response.fields["error"] == "invalid_client")
        #expect(response.fields["code"] == "unauthorized")
        #expect(response.fields["message"] == "Provide valid credentials to get access to the API.")
        #expect(response.headers["Content-Type"] == "application/json;charset=UTF-8")
        #expect(response.headers["Cache-Control"] == "no-cache, no-store, must-revalidate")
        #expect(response.headers["Pragma"] == "no-cache")
        #expect(response.headers["WWW-Authenticate"]?.hasPrefix("Basic realm=") == true)
        #expect(bench.explanation?.contains("kind “api”") == true)
    }

    @Test func `a wrong secret is refused in OAuth's shape where the API has no codes`() throws {
        let bench = try Bench().bench
        let response = bench.get(
            "/oauth/api/v1/events", headers: ["Authorization": "Basic " + Bench.encoded("portal:wrong")])

        #expect(response.status == .unauthorized)
        #expect(
            response.text
                == "{\"error\":\"invalid_client\",\"error_description\":\"Client authentication failed\"}")
    }

    @Test(arguments: [
        ("/oauth/api/v1/users/ada/tokens", "insufficient_permissions", "onegini_api_end_user"),
        ("/oauth/api/v4/users/ada/devices", "insufficient_permissions", "onegini_api_end_user"),
        ("/oauth/api/v1/configuration/web-clients", "forbidden", "onegini_api_config"),
        ("/api/v1/configuration/idps", "forbidden", "onegini_api_config"),
        ("/api/v1/configuration/web-hooks", "forbidden", "onegini_api_admin"),
        ("/api/v1/configuration/api-clients", "forbidden", "onegini_api_admin"),
        ("/oauth/api/v1/events", "insufficient_scope", "onegini_api_events"),
    ])
    func `a client that lacks the scope gets 403 in the API's own spelling`(
        path: String, denial: String, scope: String
    ) throws {
        let bench = try Bench().bench
        let response = bench.get(path, headers: Bench.idle)

        #expect(response.status == .forbidden)
        #expect(response.fields["error"] == denial)
        #expect(response.fields["code"] == (denial == "insufficient_scope" ? nil : denial))
        #expect(bench.explanation?.contains("\"scope\": \"onegini_api_insights \(scope)\"") == true)
    }

    @Test func `a web client may call no management API, whatever its scope`() throws {
        let bench = try Bench().bench
        let response = bench.get("/oauth/api/v1/users/ada/tokens", headers: Bench.shop)

        #expect(response.status == .unauthorized)
        #expect(response.fields["error"] == "invalid_client")
        #expect(bench.explanation?.contains("of kind “web”") == true)
    }

    @Test func `credentials may come in the form`() throws {
        let bench = try Bench().bench
        let response = bench.send(
            .post, "/oauth/api/v2/token/introspect",
            body: Array("token=none&client_id=portal&client_secret=portal+secret".utf8),
            headers: ["Content-Type": "application/x-www-form-urlencoded"])

        #expect(response.status == .ok)
        #expect(response.text == "{\"active\":false}")
    }

    @Test func `a client with a key sends its assertion as a bearer token`() throws {
        let bench = try Bench()
        let key = try #require(
            try bench.onegini.services.keys.published("onegini").first { $0.kid == TestKeys.ecID })
        let jwk = String(decoding: try JSONEncoder().encode(key.jwk), as: UTF8.self)
        let made = bench.post(
            "/api/v1/configuration/api-clients",
            """
            {"name": "Signer", "client_id": "signer", "authentication_method": "private_key_jwt",
             "public_jwk": \(jwk), "scopes": ["onegini_api_end_user"]}
            """)
        #expect(made.status == .created)

        struct Claims: Encodable {
            let iss = "signer", sub = "signer", aud = "http://localhost:8420/oauth", jti = "1"
            let exp: Int
        }
        let assertion = try JWT.sign(
            Claims(exp: bench.onegini.server.now.unixSeconds + 60),
            with: JWK(.privateKey(key.privateKey), keyID: key.kid, algorithm: "ES256"))
        let headers: Headers = ["Authorization": "Bearer " + assertion]
        #expect(bench.bench.get("/oauth/api/v1/users/ada/tokens", headers: headers).status == .notFound)
        let again = bench.bench.get("/oauth/api/v1/users/ada/tokens", headers: headers)
        #expect(again.status == .unauthorized)
    }
}
