import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// What follows 3.x. Source: the vendor's repository, main branch of August 2026.
struct NextProfileTests {
    private static let next = "\"profile\": \"next\""

    @Test func `endpoints are those of 3.x, and the page says which line answers`() throws {
        let bench = try TestBench.classic(section: Self.next)
        #expect(bench.send(.post, "/hanko/users").status == .notFound)
        #expect(bench.get("/hanko/").text.contains("profile next"))
        #expect(try bench.flow("/login").state == "login_init")
    }

    // MARK: Redirects

    /// The cases of the vendor's own test of this rule.
    @Test(arguments: [
        ("https://foo.example.com", "https://foo.example.com", true),
        ("https://*.example.com", "https://foo.example.com/", true),
        ("https://**.example.com", "https://a.b.example.com", true),
        ("http://127.0.0.1**", "http://127.0.0.1.evil.com", false),
        ("http://127.0.0.1**", "http://127.0.0.1", true),
        ("http://127.0.0.1**", "http://127.0.0.1/callback", true),
        ("http://localhost**", "http://localhost.evil.com", false),
        ("https://example.com**/test", "https://example.com.evil.com/test", false),
        ("https://foo.*.bar.com", "https://foo.x.bar.com", true),
        ("https://foo-*.bar.com", "https://foo-x.bar.com", true),
        ("http://192.168.*.*/**", "http://192.168.1.5/cb", true),
        ("http://192.168.*.*/**", "http://192.168.1.5.evil.com/cb", false),
        ("https://foo.**.bar.com", "https://foo.a.b.bar.com", true),
        ("https://*.gett.co**", "https://app.gett.co/x", true),
        ("https://*.gett.co**", "https://app.gett.co.evil.com", false),
        ("https://**.kyr.link**", "https://a.b.kyr.link", true),
        ("http://127.0.0.1**[a-z]", "http://127.0.0.1.evil.com", false),
        ("http://127.0.0.1**.*", "http://127.0.0.1.evil.com", false),
        ("http://localhost:8888**", "http://localhost:8888/foo", true),
        ("http://localhost:8888**", "http://localhost:88889/foo", false),
        ("http://localhost**", "http://localhost:9999/foo", true),
        ("javascript:alert(1)", "javascript:alert(1)", false),
        ("data:text/html,**", "data:text/html,x", false),
        ("file:///etc/passwd", "file:///etc/passwd", false),
        ("com.example.app://cb", "com.example.app://cb", false),
        ("https:///broken", "https:///broken", false),
    ])
    func `a redirect URL stays at the host that its pattern means`(
        _ pattern: String, _ url: String, _ isMeant: Bool
    ) throws {
        let text = JSON.string(pattern).text
        let rules = try Configuration(json: "{\"third_party\": {\"allowed_redirect_urls\": [\(text)]}}")
            .thirdParty
        #expect((rules.allows(redirect: url) && rules.boundaryFault(ofRedirect: url) == nil) == isMeant)
    }

    // MARK: TOTP

    private func login(_ bench: TestBench<Hanko>, _ code: JSON) throws -> FlowClient {
        var client = try SecondFactorFlowTests.otpLogin(bench)
        try client.run("otp_code_validate", ["otp_code": code])
        return client
    }

    @Test func `a code of an authenticator app is good once. RFC 6238 §5.2`() throws {
        let bench = try TestBench.flows(section: Self.next)
        let wrong = try login(bench, "000000")
        #expect(
            wrong.input("otp_code", of: "otp_code_validate")["error"]
                == ["code": "otp_code_invalid", "message": "The OTP code is invalid."])
        let code = try bench.otp(Linus.secret)
        #expect(try login(bench, code).state == "device_trust")
        let again = try login(bench, code)
        #expect(
            again.input("otp_code", of: "otp_code_validate")["error"]
                == ["code": "otp_code_already_used", "message": "The OTP code has already been used."])
        // Three tries a minute are the limit.
        try bench.clock.advance(seconds: 60)
        #expect(try login(bench, try bench.otp(Linus.secret)).state == "device_trust")
        #expect(bench.misshapenExplanations == [])
    }

    @Test func `in 3.x it is good again, with a remark`() throws {
        let bench = try TestBench.flows(section: "\"profile\": \"current\"")
        let code = try bench.otp(Linus.secret)
        #expect(try login(bench, code).state == "device_trust")
        #expect(!bench.events.contains { $0.event == "refused by the next version" })
        #expect(try login(bench, code).state == "device_trust")
        #expect(bench.events.contains { $0.event == "refused by the next version" })
    }

    // MARK: Mails

    @Test(arguments: [("next", "Użyj kodu"), ("current", "Use passcode")])
    func `mails are in Polish`(profile: String, beginning: String) throws {
        let bench = try TestBench.flows(
            config: PasscodeFlowTests.config, section: "\"profile\": \"\(profile)\"")
        var client = try bench.flow("/login", headers: ["X-Language": "pl-PL"])
        try client.run("continue_with_login_identifier", ["email": .string(Grace.address)])
        #expect(try bench.messages.first?.message.subject.hasPrefix(beginning) == true)
    }

    // MARK: Addresses

    @Test(arguments: [
        (#"{"extractor": "direct"}"#, "X-Forwarded-For", "203.0.113.7", "127.0.0.1"),
        (
            #"{"extractor": "x_forwarded_for", "trusted_proxies": ["198.51.100.0/24"]}"#, "X-Forwarded-For",
            "203.0.113.7, 198.51.100.9", "203.0.113.7"
        ),
        (
            #"{"extractor": "x_forwarded_for", "trusted_proxies": ["198.51.100.0/24"]}"#, "X-Forwarded-For",
            "203.0.113.7, 192.0.2.1, 10.0.0.2", "192.0.2.1"
        ),
        (
            #"{"extractor": "x_forwarded_for", "trusted_proxies": ["198.51.100.0/24"]}"#, "X-Forwarded-For",
            "nonsense",
            "127.0.0.1"
        ),
        (
            #"{"extractor": "x_real_ip", "trusted_proxies": ["::1/128"]}"#, "X-Real-IP", "2001:db8::7",
            "2001:db8::7"
        ),
        (
            #"{"extractor": "x_real_ip", "trusted_proxies": ["::1/128"]}"#, "X-Forwarded-For", "203.0.113.7",
            "127.0.0.1"
        ),
    ])
    func `server.ip says where the address of a client comes from`(
        rules: String, header: String, value: String, expected: String
    ) throws {
        for (profile, address) in [("next", expected), ("current", "127.0.0.1")] {
            let configuration = try Configuration(json: "{\"server\": {\"ip\": \(rules)}}")
            var changed = configuration
            changed.own.generation = profile == "next" ? .next : .current
            let request = Request(.get, "/", headers: [header: value])
            #expect(changed.address(of: request) == address)
        }
    }

    @Test(arguments: [
        #"{"extractor": "x_real_ip"}"#, #"{"extractor": "x_forwarded_for", "trusted_proxies": ["10.0.0.0"]}"#,
        #"{"extractor": "x_real_ip", "trusted_proxies": ["10.0.0.0/33"]}"#, #"{"extractor": "guess"}"#,
    ])
    func `rules that Hanko would not start with are refused`(_ rules: String) {
        #expect(throws: (any Error).self) { try Configuration(json: "{\"server\": {\"ip\": \(rules)}}") }
    }

    // MARK: Session webhooks

    private func hook(_ url: String, _ event: String) -> String {
        "\"webhooks\": [{\"callback\": \"\(url)/hook\", \"events\": [\"\(event)\"]}]"
    }

    private func passwordLogin(_ bench: TestBench<Hanko>) throws -> FlowClient {
        var client = try bench.passwordLogin(Ada.address)
        try client.run("password_login", ["password": .string(Linus.password)])
        #expect(client.state == "success", "\(client.response.text)")
        return client
    }

    private static let plain =
        #""mfa": {"enabled": false}, "session": {"limit": 1, "enable_auth_token_header": true}"#

    @Test func `a session is told when it begins, makes room and ends`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.flows(
                config: Self.plain, section: "\(Self.next), \(hook(url, "session"))")
            _ = try passwordLogin(bench)
            let token = try #require(try passwordLogin(bench).response.headers["X-Auth-Token"])
            let headers: Headers = ["Authorization": "Bearer \(token)"]
            #expect(bench.send(.post, "/hanko/logout", headers: headers).status == .noContent)
            try bench.awaitCalls(4)

            let told = try receiver.received.map { try bench.claims(of: $0) }
            #expect(
                told.map { $0["evt"] } == [
                    "session.create.flow", "session.delete.passive.limit", "session.create.flow",
                    "session.delete.explicit.logout",
                ])
            let sessions = try told.map { claims in
                guard case .object(let session)? = claims["data"] else { throw HookMissing() }
                return session
            }
            let data = sessions[0]
            #expect(
                Set(data.keys) == [
                    "id", "user_id", "user_agent", "ip_address", "created_at", "updated_at", "expires_at",
                    "last_used",
                ])
            #expect(data["user_id"] == .string(Ada.id))
            #expect(sessions[1]["id"] == data["id"] && sessions[2]["id"] == sessions[3]["id"])
        }
    }

    @Test func `the admin API and idle sessions are told by names of their own`() throws {
        try withHookReceiver { receiver, url in
            let bench = try TestBench.admin(
                config: #""session": {"idle_timeout": "1m"}"#,
                section: "\(Self.next), \(hook(url, "session"))")
            func made() throws -> String {
                try #require(
                    bench.admin(.post, "/sessions", "{\"user_id\": \"\(Ada.id)\"}").fields["session_token"])
            }
            _ = try made()
            let sessions = try JSON(parsing: bench.admin(.get, "/users/\(Ada.id)/sessions").bytes)
            let id = try #require(sessions.array?.first?["id"]?.string)
            #expect(bench.admin(.delete, "/users/\(Ada.id)/sessions/\(id)").status == .noContent)
            let token = try made()
            try bench.clock.advance(seconds: 61)
            #expect(
                bench.get("/hanko/me", headers: ["Authorization": "Bearer \(token)"]).status == .unauthorized)
            try bench.awaitCalls(4)
            #expect(
                try receiver.received.map { try bench.claims(of: $0)["evt"] } == [
                    "session.create.admin", "session.delete.admin.revoke", "session.create.admin",
                    "session.delete.passive.expire",
                ])
        }
    }

    @Test func `a hook hears of what its event begins with; other profiles know no session events`() throws {
        let next = try TestBench.admin(section: Self.next)
        let names = WebhookEvent.allCases.filter(\.isOfNext).map(\.rawValue)
        #expect(names.count == 13)
        let list = names.map { "\"\($0)\"" }.joined(separator: ", ")
        let body = "{\"callback\": \"http://localhost:9/hook\", \"events\": [\(list)]}"
        #expect(next.admin(.post, "/webhooks", body).status == .created)
        for profile in ["classic", "current"] {
            let bench = try TestBench.admin(section: "\"profile\": \"\(profile)\"")
            #expect(bench.admin(.post, "/webhooks", body).status == .badRequest)
        }
    }
}
