import Essentials
import HTTP
import PlatformKit
import TestKit
import Testing

@testable import Hanko

/// Webhooks, the audit log and the key of the admin API in fixtures.
struct AnnouncementFixtureTests {
    private static let id = "ada00000-0000-4000-8000-0000000000b1"

    private static let section = """
        "admin_api_key": "k", "webhooks": [
            {"callback": "http://a.test/", "events": ["user", "email.send"]},
            {"id": "\(id)", "callback": "http://b.test/", "events": ["user"], "enabled": false, "failures": 6,
                "expires_at": "2026-01-05T00:00:00Z", "created_at": "2026-01-01T00:00:00Z",
                "updated_at": "2026-01-02T00:00:00Z"}
        ],
        "audit_logs": [
            {"id": "\(id)", "type": "login_success", "meta_http_request_id": "r", "meta_source_ip": "::1",
                "meta_user_agent": "a", "actor_user_id": "u", "actor_email": "m", "error": "e",
                "details": {"flow_id": "f"}, "created_at": "2026-01-02T00:00:00Z"}
        ]
        """

    @Test func `an export, loaded again, gives the same export`() throws {
        let bench = try TestBench.admin(section: Self.section)
        let exported = String(decoding: try bench.worlds.export(bench.world), as: UTF8.self)

        let other = try TestBench<Hanko>(Hanko.self, fixtures: exported)
        #expect(String(decoding: try other.worlds.export(other.world), as: UTF8.self) == exported)
        #expect(exported.contains("\"admin_api_key\""))
        let headers: Headers = .bearer("k")
        for path in ["/hanko-admin/webhooks", "/hanko-admin/audit_logs", "/hanko-admin/users"] {
            let answer = bench.get(path, headers: headers)
            #expect(answer.status == .ok)
            #expect(other.get(path, headers: headers).text == answer.text)
        }
    }

    @Test(arguments: [
        ("\"webhooks\": [{\"callback\": \"x\", \"events\": [\"user\"]}]", "webhooks[0].callback", "URL"),
        ("\"webhooks\": [{\"callback\": \"http://x\", \"events\": []}]", "webhooks[0].events", "one event"),
        (
            "\"webhooks\": [{\"callback\": \"http://x\", \"events\": [\"user\"], \"failures\": -1}]",
            "webhooks[0].failures", "from 0"
        ),
        (
            "\"webhooks\": [{\"id\": \"1\", \"callback\": \"http://x\", \"events\": [\"user\"]}]",
            "webhooks[0].id", "UUID"
        ),
        (
            """
            "webhooks": [{"callback": "http://x", "events": ["user"]}, {"callback": "http://x", "events": ["user"]}]
            """, "webhooks[1].callback", "twice"
        ),
        ("\"admin_api_key\": \"\"", "admin_api_key", "1 to 1000"),
        ("\"admin_api_key\": \"a b\"", "admin_api_key", "blanks"),
        (
            """
            "audit_logs": [{"id": "1", "type": "login_success", "meta_http_request_id": "r", "meta_source_ip": "::1",
                "meta_user_agent": "a", "created_at": "2026-01-02T00:00:00Z"}]
            """, "audit_logs[0].id", "UUID"
        ),
    ])
    func `mistakes are told with their place`(section: String, field: String, reason: String) throws {
        let error = #expect(throws: FixtureError.self) { try TestBench.admin(section: section) }
        #expect(error?.field == "hanko." + field)
        #expect(error?.reason.contains(reason) == true, "\(error?.reason ?? "")")
    }
}
