import Essentials
import HTTP
import OpenID
import PlatformKit
import SQLite
import Synchronization
import TestKit
import Testing

@testable import Onegini

/// Source: Token Server documentation, “REST Scope Verification Service”.
struct ScopeVerificationTests {
    private static func bench(_ service: String, more: String = "") throws -> TestBench<Onegini> {
        try TestBench(
            Onegini.self,
            fixtures: """
                {"onegini": {
                    "oauth": {
                        "scopes": [{"name": "openid"}, {"name": "read"}, {"name": "write"}],
                        "users": [{"sub": "onegini-user-1234", "username": "external-identity-abcd"}],
                        "clients": [{"client_id": "web", "client_secret": "s", "grant_types": ["password"],
                            "scope": "openid read write"}]},
                    "scope_settings": [
                        {"scope_id": "read", "service_endpoint": "https://readservice.example.com"},
                        {"scope_id": "write", "service_endpoint": "https://writeservice.example.com",
                         "verification_failed_endpoint": "https://upgrade.example.com/write"}],
                    "scope_verification": {"service_endpoint": "\(service)/verify-scope", "username": "Aladdin",
                        "password": "open sesame"\(more)}
                }}
                """)
    }

    private func review(
        _ bench: TestBench<Onegini>, scope: String = "openid read write", type: String = "password",
        subject: String? = "onegini-user-1234", isRefresh: Bool = false
    ) throws -> IssueChanges {
        let onegini = bench.onegini
        let client = try #require(
            try onegini.database.read { db in try onegini.server.clients.find("web", in: db) })
        let grant = Grant(
            id: "g", clientID: "web", subject: subject, scope: ScopeList(scope), issuer: "i", type: type,
            createdAt: onegini.server.now)
        return try MobileExtension(registry: onegini.registry).review(
            IssueProposal(client: client, grant: grant, isRefresh: isRefresh, Request(.post, "/oauth/token")))
    }

    @Test func `the service is asked about the scopes that have an endpoint, in the documented shape`() throws
    {
        try BackEnd.with(#"{"verification_result": "SUCCESS"}"#) { backEnd, url in
            let bench = try Self.bench(url)
            #expect(try review(bench) == IssueChanges())
            let request = try #require(backEnd.requests.withLock { $0.first })
            #expect(request.method == .post && request.path == "/verify-scope")
            #expect(request.headers["Content-Type"] == "application/json;charset=UTF-8")
            // The example of the documentation, and of RFC 7617 §2.
            #expect(request.headers["Authorization"] == "Basic QWxhZGRpbjpvcGVuIHNlc2FtZQ==")
            #expect(
                try backEnd.questions == [
                    [
                        "user_id": "onegini-user-1234", "external_identity": "external-identity-abcd",
                        "scopes": [
                            ["id": "read", "service_endpoint": "https://readservice.example.com"],
                            ["id": "write", "service_endpoint": "https://writeservice.example.com"],
                        ],
                    ]
                ])
            let told = bench.journal.first { $0.event == "scope verification answered" }
            #expect(told?.subject == "onegini-user-1234")
            #expect(told?.explanation?.contains("answered 200 {\"verification_result\":\"SUCCESS\"}") == true)
            #expect(bench.misshapenExplanations == [])
        }
    }

    @Test func `nobody is asked where there is nothing to ask`() throws {
        try BackEnd.with("{}") { backEnd, url in
            let bench = try Self.bench(url)
            _ = try review(bench, scope: "openid")
            _ = try review(bench, isRefresh: true)
            _ = try review(bench, subject: nil)
            _ = try review(bench, type: GrantType.tokenExchange)
            _ = try review(try Self.bench(url, more: #", "enabled": false"#))
            #expect(try backEnd.questions == [])
        }
    }

    @Test(arguments: [
        ("write", String?.none, "https://upgrade.example.com/write" as String?), ("read", nil, nil),
        ("read", "https://upgrade.example.com", "https://upgrade.example.com"),
        ("read", "javascript:alert(1)", nil),
    ])
    func `a failure sends the browser to the scope's page, or to the common one`(
        _ scope: String, _ common: String?, _ expected: String?
    ) throws {
        try BackEnd.with(#"{"verification_result": "FAILURE", "unauthorized_scope": "\#(scope)"}"#) {
            _, url in
            let more = common.map { #", "verification_failed_endpoint": "\#($0)""# } ?? ""
            let bench = try Self.bench(url, more: more)
            do {
                _ = try review(bench)
                Issue.record("nothing was thrown")
            } catch let refusal as IssueRefusal {
                #expect(refusal.isDenial)
                #expect(refusal.page == expected)
                #expect(refusal.explanation.contains("may not have the scope “\(scope)”"))
            }
        }
    }

    @Test(arguments: [
        (500, "{}", "it answered 500, expected 200"), (302, "{}", "it answered 302, expected 200"),
        (401, "{}", "expected that it takes the credentials"), (200, "<html>", "is not the expected JSON"),
        (200, "{}", "found none"), (200, #"{"verification_result": "maybe"}"#, #"found "maybe""#),
        (200, #"{"verification_result": true}"#, "found true"),
    ])
    func `an answer of no use refuses, is told and leaves an event`(
        _ status: Int, _ body: String, _ reason: String
    ) throws {
        try BackEnd.with({ _ in
            Response(
                status: Status(integerLiteral: status), headers: ["Location": "http://127.0.0.1:1/"],
                body: Array(body.utf8))
        }) { backEnd, url in
            let bench = try Self.bench(url)
            #expect {
                _ = try review(bench)
            } throws: { error in
                guard let refusal = error as? IssueRefusal else { return false }
                return !refusal.isDenial && refusal.explanation.contains(reason)
            }
            #expect(try backEnd.questions.count == 1)
            #expect(bench.journal.contains { $0.event == "scope verification failed" })
            #expect(bench.misshapenExplanations == [])
            #expect(try bench.eventTypes == ["EXTERNAL_SCOPE_CHECK_FAILED"])
        }
    }

    @Test func `nobody listens`() throws {
        let bench = try Self.bench("http://127.0.0.1:1")
        #expect {
            _ = try review(bench)
        } throws: { error in
            guard let refusal = error as? IssueRefusal, !refusal.isDenial else { return false }
            return refusal.explanation.contains("there was no answer: cannot connect to 127.0.0.1:1")
        }
    }
}
