import Essentials
import HTTP
import JOSE
import OpenID
import PlatformKit
import SQLite
import Synchronization
import TestKit
import Testing

@testable import Onegini

/// Source: Token Server documentation, “customize access token web hook”.
struct CustomizationHookTests {
    private static func bench(
        _ base: String, method: String = #""BASIC", "username": "hook", "password": "hook""#
    ) throws -> TestBench<Onegini> {
        try .devices(
            app: #""web_hook_ids": ["dabp", "hook"], "#,
            section: """
                "web_hooks": [
                    {"id": "dabp", "type": "DABP", "name": "d", "base_uri": "http://127.0.0.1:1", "authentication_method": "NONE"},
                    {"id": "hook", "type": "CUSTOMIZE_TOKEN", "name": "h", "base_uri": "\(base)",
                     "authentication_method": \(method)}]
                """)
    }

    private func complete(
        _ bench: TestBench<Onegini>, _ phone: Phone, provider: String = "understudy-direct",
        data: JSONValue = ["userId": "ada"], scope: JSONValue = ["openid", "profile"]
    ) throws -> Response {
        try bench.post(
            "/oauth/custom-registration/\(provider)/complete",
            [
                "data": data, "scope": scope,
                "hook_context_custom_params": ["on_behalf_of": ["user"], "type": "person"],
            ] as JSONValue, headers: phone.headers)
    }

    @Test func `the hook is called in the documented shape`() throws {
        try BackEnd.with(
            #"{"removeScopes": ["profile"], "additionalClaims": {"x:name": "John", "sub": "eve", "usl": 1}}"#
        ) {
            backEnd, url in
            let bench = try Self.bench(url + "/base/")
            let answer = try complete(bench, try bench.register())
            let token = try answer.json(JSONValue.self)["oauth_token"]
            #expect(token?["scope"] == "openid")
            let request = try #require(backEnd.requests.withLock { $0.first })
            #expect(request.method == .post && request.path == "/base/v1/customize-access-token")
            #expect(request.headers["Authorization"] == "Basic aG9vazpob29r")
            let question = try #require(try backEnd.questions.first)
            #expect(question["user"] == ["id": "ada"] && question["client"]?["id"]?.string?.count == 64)
            #expect(question["scopes"] == ["openid", "profile"] && question["userClaims"] == [:])
            #expect(question["contextCustomParams"] == ["on_behalf_of": ["user"], "type": ["person"]])

            let onegini = bench.onegini
            let kept = try #require(try onegini.server.accessToken(token?["access_token"]?.string ?? ""))
            #expect(kept.claims == ["x:name": "John"])
            let rejected = bench.journal.first { $0.event == "claims rejected" }
            #expect(rejected?.explanation?.contains("gave the claims sub, usl,") == true)
            #expect(bench.journal.contains { $0.event == "web hook answered" && $0.subject == "ada" })
            #expect(bench.misshapenExplanations == [])

            // The grant's own parameters come again with a refresh.
            var phone = try bench.register()
            phone = try bench.logIn(on: phone)
            _ = bench.refresh(phone)
            #expect(try backEnd.questions.count == 3)
        }
    }

    @Test func `a registration by QR code can be completed after the hook failed`() throws {
        let calls = Mutex(0)
        try BackEnd.with({ _ in
            let isFirst = calls.withLock { count in
                count += 1
                return count == 1
            }
            return isFirst ? Response(status: .serviceUnavailable) : Response(body: Array("{}".utf8))
        }) { _, url in
            let bench = try Self.bench(url)
            let headers: Headers = ["Authorization": "Basic " + ManagementBench.encoded("users:secret")]
            let begun = try bench.post(
                "/oauth/api/v3/custom-registration/understudy-qr/backchannel",
                ["data": ["userId": "ada"]] as JSONValue, headers: headers)
            let identifier = try #require(try begun.json(JSONValue.self)["data"]?["identifier"])
            let phone = try bench.register()

            let failed = try complete(
                bench, phone, provider: "understudy-qr", data: ["identifier": identifier])
            #expect(failed.status == .internalServerError && failed.fields["error"] == "server_error")
            #expect(bench.explanation?.contains("it answered 503, expected 200") == true)
            let again = try complete(
                bench, phone, provider: "understudy-qr", data: ["identifier": identifier])
            #expect(try again.json(JSONValue.self)["status"] == 2000)
        }
    }

    @Test func `with the method JWT the server proves itself by its keys`() throws {
        try BackEnd.with("{}") { backEnd, url in
            let bench = try Self.bench(url, method: "\"JWT\"")
            _ = try complete(bench, try bench.register())
            let header = try #require(backEnd.requests.withLock { $0.first?.headers["Authorization"] })
            #expect(header.hasPrefix("Bearer "))
            let onegini = bench.onegini
            let keys = try onegini.services.keys.published(Onegini.name).map(\.jwk)
            let verified = try JWT.verify(
                String(header.dropFirst(7)), keys: keys, at: onegini.server.now)
            let claims = try JSONValue(parsing: verified.payload)
            #expect(claims["aud"] == .string(url) && claims["iss"] == "http://localhost:8420/oauth")
        }
    }

    @Test(arguments: [
        ("[]", "not a JSON object"), (#"{"removeScopes": "profile"}"#, "not a list of strings"),
        (#"{"removeScopes": [1]}"#, "not a list of strings"),
        (#"{"additionalClaims": []}"#, "is not an object"),
        (#"{"additionalClaims": {"a": "\#(String(repeating: "x", count: 5000))"}}"#, "at most 4096"),
    ])
    func `an answer of another shape refuses`(_ json: String, _ reason: String) throws {
        #expect {
            _ = try CustomizationHook.changes(in: try JSONValue(parsing: Array(json.utf8)))
        } throws: { error in
            (error as? ConsultationFault)?.reason.contains(reason) == true
        }
    }

    @Test(arguments: ["{}", #"{"removeScopes": null, "additionalClaims": null}"#, #"{"removeScopes": []}"#])
    func `an answer may want nothing`(_ json: String) throws {
        #expect(try CustomizationHook.changes(in: try JSONValue(parsing: Array(json.utf8))) == IssueChanges())
    }

    @Test func `nothing is made when the hook leaves no scope`() throws {
        try BackEnd.with(#"{"removeScopes": ["openid", "profile"]}"#) { backEnd, url in
            let bench = try Self.bench(url)
            let answer = try complete(bench, try bench.register())
            #expect(answer.status == .badRequest && answer.fields["error"] == "invalid_scope")
            #expect(try backEnd.questions.count == 1)
            let onegini = bench.onegini
            #expect(try onegini.database.read { try onegini.server.grants.all(in: $0) } == [])
        }
    }
}
