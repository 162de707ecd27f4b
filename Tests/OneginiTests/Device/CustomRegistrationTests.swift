import Crypto
import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import SQLite
import TestKit
import Testing

@testable import Onegini

/// The vendor's API reference “custom registration”.
@Suite struct CustomRegistrationTests {
    private static let scripts = """
        "custom_registration": [
            {"id": "off", "kind": "direct", "enabled": false},
            {"id": "qr", "kind": "qr"},
            {"id": "direct", "kind": "direct"},
            {"id": "script", "kind": "scripted", "answers": [
                {"step": "init", "status": 2000, "data": {"question": "code?"}},
                {"step": "complete", "when": {"code": "1"}, "status": 2001, "user_id": "ada", "data": {"hello": "ada"}},
                {"step": "complete", "when": {"code": "2"}, "status": 5001},
                {"step": "complete", "status": 4000, "data": "wrong code"},
                {"step": "backchannel", "status": 2000, "data": {"done": true}},
            ]},
        ],
        """
    private let users: Headers = ["Authorization": "Basic " + Data("users:secret".utf8).base64EncodedString()]

    private func post(
        _ bench: TestBench<Onegini>, _ path: String, _ body: JSONValue, _ headers: Headers
    ) throws -> (status: Status, body: JSONValue) {
        let response = try bench.post("/oauth" + path, body, headers: headers)
        return (response.status, try JSONValue(parsing: response.bytes))
    }

    @Test func `one step registers the user that it names`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()

        let answer = try post(
            bench, "/custom-registration/understudy-direct/complete",
            ["data": ["userId": "ada"], "profile_id": "W8DUJ2", "scope": ["openid", "profile"]], phone.headers
        )

        #expect(answer.status == .ok)
        #expect(answer.body["status"] == 2000)
        let token = answer.body["oauth_token"]
        #expect(token?["profile_id"] == "W8DUJ2")
        #expect(token?["scope"] == "openid profile")
        #expect(token?["access_token"]?.string?.count == 64)
        #expect(token?["refresh_token"]?.string?.count == 64)
        #expect(token?["id_token"]?.string?.split(separator: ".").count == 3)
        #expect(token?["expires_in"] == 900)
    }

    @Test func `data may be JSON in a text, and without a user they can be sent again`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        let path = "/custom-registration/understudy-direct/complete"

        let text = try post(bench, path, ["data": #"{"userId": "ada"}"#], phone.headers)
        let empty = try post(bench, path, ["data": "{}"], phone.headers)

        #expect(text.body["status"] == 2000)
        #expect(empty.status == .ok)
        #expect(empty.body["status"] == 4000)
        #expect(empty.body["oauth_token"] == nil)
    }

    @Test func `a portal's identifier registers its user once`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        let got = try post(
            bench, "/api/v3/custom-registration/understudy-qr/backchannel", ["data": ["userId": "ada"]], users
        )
        #expect(got.status == .ok)
        #expect(got.body["status"] == 2000)
        let identifier = try #require(got.body["data"]?["identifier"])
        let path = "/custom-registration/understudy-qr/complete"

        let first = try post(bench, path, ["data": ["identifier": identifier]], phone.headers)
        let second = try post(bench, path, ["data": ["identifier": identifier]], phone.headers)

        #expect(first.body["status"] == 2000)
        #expect(first.body["oauth_token"] != nil)
        #expect(second.body["status"] == 4001)
    }

    @Test func `an identifier lasts for five minutes`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        let got = try post(
            bench, "/api/v3/custom-registration/understudy-qr/backchannel", ["data": ["userId": "ada"]], users
        )
        let identifier = try #require(got.body["data"]?["identifier"])
        try bench.clock.advance(seconds: 300)

        let answer = try post(
            bench, "/custom-registration/understudy-qr/complete", ["data": ["identifier": identifier]],
            phone.headers)

        #expect(answer.status == .ok)
        #expect(answer.body["status"] == 5001)
    }

    @Test func `the backchannel needs an API client with its scope`() throws {
        let bench = try TestBench<Onegini>.devices()
        let path = "/api/v3/custom-registration/understudy-qr/backchannel"
        let other: Headers = ["Authorization": "Basic " + Data("events:secret".utf8).base64EncodedString()]

        #expect(try post(bench, path, ["data": ["userId": "ada"]], [:]).status == .unauthorized)
        let denied = try post(bench, path, ["data": ["userId": "ada"]], other)
        #expect(denied.status == .forbidden)
        #expect(denied.body["error"] == "insufficient_permissions")
    }

    @Test func `a scripted provider answers as the fixtures say`() throws {
        let bench = try TestBench<Onegini>.devices(section: Self.scripts)
        let phone = try bench.register()
        let begun = try post(bench, "/custom-registration/script/init", [:], phone.headers)
        #expect(begun.body["status"] == 2000)
        #expect(begun.body["data"] == ["question": "code?"])
        let id = try #require(begun.body["transaction_id"])
        let complete = { (code: JSONValue) in
            try post(
                bench, "/custom-registration/script/complete",
                ["transaction_id": id, "data": ["code": code]], phone.headers)
        }

        let wrong = try complete("9")
        #expect(wrong.status == .ok)
        #expect(wrong.body == ["status": 4000, "data": "wrong code"])
        let right = try complete("1")
        #expect(right.body["status"] == 2001)
        #expect(right.body["data"] == ["hello": "ada"])
        #expect(right.body["oauth_token"]?["access_token"] != nil)
        let again = try complete("1")
        #expect(again.status == .badRequest)
        #expect(again.body["error"] == "invalid_transaction")
    }

    @Test func `a transaction is of one client and one provider, for five minutes`() throws {
        let bench = try TestBench<Onegini>.devices(section: Self.scripts)
        let (phone, other) = (try bench.register(), try bench.register())
        let begun = try post(bench, "/custom-registration/script/init", [:], phone.headers)
        let body: JSONValue = [
            "transaction_id": try #require(begun.body["transaction_id"]), "data": ["userId": "ada"],
        ]

        let stolen = try post(bench, "/custom-registration/script/complete", body, other.headers)
        let crossed = try post(bench, "/custom-registration/direct/complete", body, phone.headers)
        try bench.clock.advance(seconds: 300)
        let late = try post(bench, "/custom-registration/script/complete", body, phone.headers)

        for answer in [stolen, crossed, late] {
            #expect(answer.status == .badRequest)
            #expect(answer.body["error"] == "invalid_transaction")
        }
    }

    @Test func `providers that are unknown or off are refused`() throws {
        let bench = try TestBench<Onegini>.devices(section: Self.scripts)
        let phone = try bench.register()

        let unknown = try post(bench, "/custom-registration/none/complete", [:], phone.headers)
        #expect(unknown.status == .notFound)
        #expect(unknown.body["error"] == "invalid_idp_identifier")
        let off = try post(bench, "/custom-registration/off/init", [:], phone.headers)
        #expect(off.status == .forbidden)
        #expect(off.body["error"] == "idp_disabled")
    }

    // Source: Token Server documentation, custom registration v2: ES256, `kid` required.
    @Test func `version 2 takes an assertion of the client in the body, once`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        let key = JWK(
            .privateKey(try .generate(.ec(.p256))), keyID: "device-key", algorithm: "ES256", use: "sig")
        let server = bench.onegini.server
        try bench.onegini.database.write { db in
            var client = try #require(try server.clients.find(phone.id, in: db))
            client.metadata.tokenEndpointAuthMethod = .privateKeyJWT
            client.metadata.jwks = try JSONValue(parsing: JWKS([key]).published.json())
            try server.clients.update(client, in: db)
        }
        let now = Int(server.now.timeIntervalSince1970)
        let claims: JSONValue = [
            "iss": .string(phone.id), "sub": .string(phone.id), "aud": "http://localhost:8420/oauth",
            "exp": .integer(now + 60), "iat": .integer(now), "jti": "one",
        ]
        let body: JSONValue = [
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": .string(try JWT.sign(claims, with: key)), "data": ["userId": "ada"],
            "profile_id": "W8DUJ2",
        ]
        let path = "/v2/custom-registration/understudy-direct/complete"

        let first = try post(bench, path, body, [:])
        #expect(first.status == .ok && first.body["status"] == 2000)
        #expect(first.body["oauth_token"]?["profile_id"] == "W8DUJ2")
        let again = try post(bench, path, body, [:])
        #expect(again.status == .badRequest && again.body["error"] == "invalid_client")
    }

    @Test(arguments: [#"{"alg":"RS256","kid":"k"}"#, #"{"alg":"ES256"}"#])
    func `version 2 wants ES256 and the name of the key`(header: String) throws {
        let bench = try TestBench<Onegini>.devices()
        let body: JSONValue = [
            "client_assertion_type": "urn:ietf:params:oauth:client-assertion-type:jwt-bearer",
            "client_assertion": .string(Base64URL.encode(Array(header.utf8)) + ".e30.AA"),
        ]

        let answer = try post(bench, "/v2/custom-registration/understudy-direct/init", body, [:])

        #expect(answer.status == .badRequest && answer.body["error"] == "invalid_client")
        #expect(bench.explanation?.lowercased().contains("custom registration v2") == true)
    }

    @Test func `wrong credentials, scopes and members are refused with 400`() throws {
        let bench = try TestBench<Onegini>.devices()
        let phone = try bench.register()
        let path = "/custom-registration/understudy-direct/complete"

        let stranger = try post(bench, path, [:], Phone(id: phone.id, secret: "wrong").headers)
        #expect(stranger.status == .badRequest)
        #expect(stranger.body["error"] == "invalid_client")
        let scope = try post(bench, path, ["scope": ["admin"]], phone.headers)
        #expect(scope.status == .badRequest)
        #expect(scope.body["error"] == "invalid_scope")
        let assertion = try post(bench, "/v2" + path, ["data": [:]], phone.headers)
        #expect(assertion.status == .badRequest)
        #expect(assertion.body["error"] == "invalid_request")
        let malformed = bench.post("/oauth" + path, raw: "{", headers: phone.headers)
        #expect(malformed.status == .badRequest)
        #expect(malformed.fields["error"] == "invalid_request")
    }
}
